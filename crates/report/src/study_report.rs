//! The report of a study.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use study::StudyDirectory;

use crate::documents::{DocumentError, Documents};
use crate::{Figure, Finding, Table, page};

/// All that a report shows. The same measurements give the same bytes.
#[derive(Clone, Debug)]
pub struct StudyReport {
    documents: Documents,
    /// Whether the paper's findings hold.
    pub findings: Vec<Finding>,
    /// The tables.
    pub tables: Vec<Table>,
    /// The figures.
    pub figures: Vec<Figure>,
}

impl StudyReport {
    /// The report of the study in `directory`.
    ///
    /// # Errors
    ///
    /// Where there is no study, or a measurement is damaged; one that is missing is shown as that.
    pub fn of(directory: &StudyDirectory) -> Result<StudyReport, DocumentError> {
        Ok(StudyReport::new(Documents::read(directory)?))
    }

    /// The report of measurements.
    pub fn new(documents: Documents) -> StudyReport {
        StudyReport {
            findings: Finding::all(&documents),
            tables: Table::all(&documents),
            figures: Figure::all(&documents),
            documents,
        }
    }

    /// Files of measurements that are not there, each once.
    pub fn missing(&self) -> Vec<&'static str> {
        let tables = self.tables.iter().flat_map(|table| &table.missing);
        let figures = self.figures.iter().flat_map(|figure| &figure.missing);
        let mut missing: Vec<&'static str> = Vec::new();
        for &file in tables.chain(figures) {
            if !missing.contains(&file) {
                missing.push(file);
            }
        }
        missing
    }

    /// The page: HTML that needs no other file.
    pub fn html(&self) -> String {
        page::html(&self.documents, self)
    }

    /// Writes `index.html`, `tables/` and `figures/` into the directory `out`, which is made where
    /// there is none. Each file appears whole or not at all; the page comes last.
    ///
    /// # Errors
    ///
    /// Where the system says so.
    pub fn write(&self, out: &Path) -> io::Result<()> {
        let (tables, figures) = (out.join("tables"), out.join("figures"));
        fs::create_dir_all(&tables)?;
        fs::create_dir_all(&figures)?;
        for table in &self.tables {
            write_whole(&tables.join(format!("{}.md", table.slug)), &table.markdown())?;
            write_whole(&tables.join(format!("{}.csv", table.slug)), &table.csv())?;
        }
        for picture in self.figures.iter().flat_map(Figure::pictures) {
            write_whole(&figures.join(&picture.file), &picture.svg)?;
        }
        write_whole(&out.join("index.html"), &self.html())
    }
}

/// Writes a file beside its place, synced, and gives it its name.
fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let folder = path.parent().expect("a file within the report");
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        // As public as any new file; the system takes away what the user wants taken away.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
