//! The page in a real browser: no errors, nothing missing, nothing wider than the window.
//!
//! Needs Chromium (Debian: `apt-get install chromium fonts-dejavu-core`); says SKIPPED without.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use report::StudyReport;
use serde_json::Value;
use study::StudyDirectory;
use tempfile::TempDir;

/// Runs within the copy of the page that is tested, and tells the page around it what it found.
const MEASURE: &str = r##"<script>
addEventListener("load", () => {
  const root = document.documentElement;
  const empty = [];
  for (const figure of document.querySelectorAll("figure")) {
    const shown = figure.querySelectorAll(".panel svg, .board svg, table.data, .note");
    const visible = [...shown].every(part => {
      const box = part.getBoundingClientRect();
      return box.width > 50 && box.height > 20;
    });
    if (shown.length === 0 || !visible) empty.push(figure.id);
  }
  const dead = [...document.querySelectorAll('a[href^="#"]')]
    .map(link => link.getAttribute("href"))
    .filter(href => document.querySelector(href) === null);
  parent.postMessage({
    scrollWidth: root.scrollWidth, clientWidth: root.clientWidth, height: root.scrollHeight,
    figures: document.querySelectorAll("figure").length,
    drawings: document.querySelectorAll(".panel svg, .board svg").length,
    background: getComputedStyle(document.body).backgroundColor,
    empty, dead,
  }, "*");
});
</script>"##;

/// A browser, and a folder with a page.
struct Browser {
    program: PathBuf,
    folder: TempDir,
}

impl Browser {
    /// The browser that is installed; says that the test is skipped where there is none.
    fn find() -> Option<Browser> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let names = ["chromium", "chromium-browser", "google-chrome"];
        let programs = std::env::split_paths(&path)
            .flat_map(|folder| names.map(|name| folder.join(name)))
            .find(|program| program.is_file());
        let Some(program) = programs else {
            fixtures::skip("neither chromium nor chromium-browser nor google-chrome is on PATH");
            return None;
        };
        Some(Browser { program, folder: tempfile::tempdir().expect("a temporary folder") })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Opens a page of the folder in a window of `width`, in a frame of that width: a window of a
    /// browser has a least width, a frame has not.
    fn open(&self, page: &str, width: u32, more: &[&str]) -> Output {
        let framed = format!(
            "<!DOCTYPE html><body style=\"margin:0\"><iframe id=\"frame\" src=\"{page}\" \
             style=\"width:{width}px;height:800px;border:0;display:block\"></iframe>\
             <pre id=\"measured\" hidden></pre><script>\
             addEventListener(\"message\", event => {{\
             document.getElementById(\"measured\").textContent = JSON.stringify(event.data);\
             document.getElementById(\"frame\").style.height = event.data.height + \"px\"; }});\
             </script></body>"
        );
        let name = format!("frame-{width}.html");
        fs::write(self.path(&name), framed).expect("written");
        let output = Command::new(&self.program)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"])
            .args(["--enable-logging=stderr", "--virtual-time-budget=10000", "--no-first-run"])
            .arg(format!("--user-data-dir={}", self.path("profile").display()))
            .arg(format!("--window-size={width},3000"))
            .args(more)
            .arg(format!("file://{}", self.path(&name).display()))
            .output()
            .expect("the browser starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output
    }

    /// What the page says of itself in a window of `width`, and what its console says.
    fn measure(&self, page: &str, width: u32, more: &[&str]) -> (Value, Vec<String>) {
        let output = self.open(page, width, &[&["--dump-dom"], more].concat());
        let dom = String::from_utf8_lossy(&output.stdout);
        let measured = dom
            .split_once("<pre id=\"measured\" hidden=\"\">")
            .and_then(|(_, rest)| rest.split_once("</pre>"))
            .map(|(measured, _)| measured.to_owned());
        let measured = measured.unwrap_or_else(|| panic!("the page did not load: {dom}"));
        let console = String::from_utf8_lossy(&output.stderr)
            .lines()
            .filter(|line| line.contains("CONSOLE"))
            .map(str::to_owned)
            .collect();
        (serde_json::from_str(&measured).expect("JSON"), console)
    }

    /// Writes a page with the script that measures it.
    fn write_measured(&self, name: &str, html: &str) {
        let copy = html.replacen("</body>", &format!("{MEASURE}</body>"), 1);
        fs::write(self.path(name), copy).expect("written");
    }
}

fn report(folder: &Path) -> StudyReport {
    let directory: StudyDirectory = fixtures::write_study(folder).expect("written");
    StudyReport::of(&directory).expect("a report")
}

#[test]
fn the_page_is_whole_at_any_width_in_light_and_dark() {
    let Some(browser) = Browser::find() else { return };
    let report = report(&browser.path("study"));
    browser.write_measured("page.html", &report.html());
    let screenshots = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for width in [1280, 400] {
        for (scheme, number, background) in
            [("light", 1, "rgb(255, 255, 254)"), ("dark", 0, "rgb(22, 25, 30)")]
        {
            let scheme_argument = format!("--blink-settings=preferredColorScheme={number}");
            let (measured, console) = browser.measure("page.html", width, &[&scheme_argument]);
            assert_eq!(console, Vec::<String>::new(), "{width} {scheme}");
            assert_eq!(measured["clientWidth"], width, "{measured}");
            assert_eq!(measured["scrollWidth"], width, "nothing is wider: {measured}");
            assert_eq!(measured["empty"], Value::Array(vec![]), "{measured}");
            assert_eq!(measured["dead"], Value::Array(vec![]), "{measured}");
            assert_eq!(measured["figures"], report.tables.len() + report.figures.len());
            let drawings: usize = report.figures.iter().map(|figure| figure.pictures().len()).sum();
            assert_eq!(measured["drawings"], drawings);
            assert_eq!(measured["background"], background, "{scheme}");
            let picture = screenshots.join(format!("report-{width}-{scheme}.png"));
            let argument = format!("--screenshot={}", picture.display());
            browser.open("page.html", width, &[&argument, &scheme_argument]);
            let size = fs::metadata(&picture).expect("a screenshot").len();
            assert!(size > 50_000, "{} shows something: {size} bytes", picture.display());
        }
    }
}

#[test]
fn a_study_that_was_just_begun_is_whole_too() {
    let Some(browser) = Browser::find() else { return };
    let study = browser.path("study");
    let directory = fixtures::write_study(&study).expect("written");
    fs::remove_dir_all(directory.measurement("")).expect("removed");
    fs::remove_file(directory.selection()).expect("removed");
    let report = StudyReport::of(&directory).expect("a report");
    browser.write_measured("page.html", &report.html());
    let (measured, console) = browser.measure("page.html", 400, &[]);
    assert_eq!(console, Vec::<String>::new());
    assert_eq!(measured["scrollWidth"], 400);
    assert_eq!(measured["empty"], Value::Array(vec![]), "{measured}");
    assert_eq!(measured["drawings"], 0);
}

#[test]
fn a_page_with_faults_is_found_out() {
    let Some(browser) = Browser::find() else { return };
    let page = "<!DOCTYPE html><html><body><figure id=\"hollow\"></figure><a href=\"#nowhere\">x</a>\
                <div style=\"width:900px\">wide</div><script>console.error(\"broken\")</script>\
                <img src=\"missing.png\"></body></html>";
    browser.write_measured("page.html", page);
    let (measured, console) = browser.measure("page.html", 400, &[]);
    assert!(measured["scrollWidth"].as_u64() > Some(400), "{measured}");
    assert_eq!(measured["empty"], serde_json::json!(["hollow"]));
    assert_eq!(measured["dead"], serde_json::json!(["#nowhere"]));
    assert!(console.iter().any(|line| line.contains("broken")), "{console:?}");
}
