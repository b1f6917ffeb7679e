//! Means with their standard errors.

/// A mean and how far it may be from what it estimates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The mean.
    pub mean: f64,
    /// Its standard error, at least 0; infinite where the data say nothing of it.
    pub standard_error: f64,
}

/// Values that belong together, such as those of the positions of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cluster {
    /// How many values.
    pub count: u64,
    /// Their sum.
    pub sum: f64,
}

impl Cluster {
    /// Adds a value.
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        self.sum += value;
    }
}

impl Estimate {
    /// The mean of independent values, with the standard error that their spread gives it; `None`
    /// without values.
    pub fn of_values(values: impl IntoIterator<Item = f64>) -> Option<Self> {
        Self::of_clusters(values.into_iter().map(|sum| Cluster { count: 1, sum }))
    }

    /// The mean of all values of independent clusters; `None` without values.
    ///
    /// Values within a cluster may depend on each other in any way. The mean is the ratio of two
    /// sums over G clusters, `m = sum S_g / sum n_g`; to first order its error is that of
    /// `sum (S_g - m n_g) / sum n_g`, a sum of independent terms, hence
    ///
    /// ```text
    /// SE^2 = G/(G - 1) sum (S_g - m n_g)^2 / (sum n_g)^2.
    /// ```
    ///
    /// With one value a cluster this is the usual standard error of a mean.
    pub fn of_clusters(clusters: impl IntoIterator<Item = Cluster>) -> Option<Self> {
        let clusters: Vec<Cluster> =
            clusters.into_iter().filter(|cluster| cluster.count > 0).collect();
        let count: u64 = clusters.iter().map(|cluster| cluster.count).sum();
        if count == 0 {
            return None;
        }
        let mean = clusters.iter().map(|cluster| cluster.sum).sum::<f64>() / count as f64;
        let groups = clusters.len() as f64;
        if clusters.len() < 2 || !mean.is_finite() {
            return Some(Self { mean, standard_error: f64::INFINITY });
        }
        let deviation = |cluster: &Cluster| cluster.sum - mean * cluster.count as f64;
        let squares: f64 = clusters.iter().map(|cluster| deviation(cluster).powi(2)).sum();
        let standard_error = (groups / (groups - 1.0) * squares).sqrt() / count as f64;
        Some(Self { mean, standard_error })
    }
}

#[cfg(test)]
mod tests;
