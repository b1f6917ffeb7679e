//! Work on several cells at once.

use std::num::NonZeroUsize;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Works on `items`, `jobs` of them at a time, each with a pool of its own of the `threads` that
/// are divided among the jobs, one at least. Once `stop` is true, none is begun any more.
///
/// Returns what `work` returned of each item, in the order of the items; `None` for those not
/// begun.
///
/// # Errors
///
/// Where threads cannot be started.
pub fn run_jobs<T: Sync, R: Send>(
    items: &[T],
    jobs: NonZeroUsize,
    threads: NonZeroUsize,
    stop: &AtomicBool,
    work: impl Fn(&T) -> R + Sync,
) -> Result<Vec<Option<R>>, rayon::ThreadPoolBuildError> {
    let jobs = jobs.get().min(items.len());
    let pools = (0..jobs).map(|job| {
        let threads = share(threads.get(), jobs, job);
        rayon::ThreadPoolBuilder::new().num_threads(threads).build()
    });
    let pools = pools.collect::<Result<Vec<_>, _>>()?;
    let next = AtomicUsize::new(0);
    let results: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
    std::thread::scope(|scope| {
        for pool in &pools {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let (Some(item), Some(place)) = (items.get(number), results.get(number)) else {
                        break;
                    };
                    let result = pool.install(|| work(item));
                    *place.lock().expect("only this job has it") = Some(result);
                }
            });
        }
    });
    Ok(results.into_iter().map(|place| place.into_inner().expect("no job has it")).collect())
}

/// The threads of one job: they differ by one at most.
fn share(threads: usize, jobs: usize, job: usize) -> usize {
    (threads / jobs + usize::from(job < threads % jobs)).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(number: usize) -> NonZeroUsize {
        NonZeroUsize::new(number).expect("above 0")
    }

    #[test]
    fn threads_are_divided() {
        let check = |threads, jobs, expected: &[usize]| {
            let shares: Vec<usize> = (0..jobs).map(|job| share(threads, jobs, job)).collect();
            assert_eq!(shares, expected, "{threads} threads, {jobs} jobs");
        };
        check(4, 1, &[4]);
        check(4, 2, &[2, 2]);
        check(5, 3, &[2, 2, 1]);
        check(2, 3, &[1, 1, 1]);
    }

    #[test]
    fn results_stand_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..20).collect();
        for jobs in [1, 3, 50] {
            let go_on = AtomicBool::new(false);
            let done = run_jobs(&items, number(jobs), number(4), &go_on, |item| item * item);
            let expected: Vec<Option<usize>> = items.iter().map(|item| Some(item * item)).collect();
            assert_eq!(done.expect("threads"), expected, "{jobs} jobs");
        }
        let nothing: Vec<usize> = Vec::new();
        let done = run_jobs(&nothing, number(2), number(2), &AtomicBool::new(false), |item| *item);
        assert_eq!(done.expect("threads"), []);
    }

    #[test]
    fn each_job_has_its_own_threads() {
        let stop = AtomicBool::new(false);
        let threads =
            run_jobs(&[(); 4], number(2), number(6), &stop, |()| rayon::current_num_threads());
        assert_eq!(threads.expect("threads"), [Some(3); 4]);
    }

    #[test]
    fn nothing_is_begun_after_a_stop() {
        let stop = AtomicBool::new(false);
        let items: Vec<usize> = (0..5).collect();
        let done = run_jobs(&items, number(1), number(1), &stop, |&item| {
            stop.store(item == 2, Ordering::Relaxed);
            item
        });
        assert_eq!(done.expect("threads"), [Some(0), Some(1), Some(2), None, None]);
    }
}
