//! The book's form: every chapter is in the table of contents, every link leads somewhere, every block says what it is.

use super::TESTED;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Languages of blocks that are run: Rust's by rustdoc, Python's by `tests/book/run.py`.
const RUN: [&str; 3] = ["rust", "python", "pycon"];
/// Languages of blocks that only show something.
const SHOWN: [&str; 6] = ["sh", "text", "toml", "yaml", "cpp", "mojo"];

struct Page {
    /// From the checkout's root.
    file: String,
    text: String,
}

impl Page {
    fn read(file: &str) -> Self {
        let text = std::fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        Self { file: file.to_owned(), text }
    }

    /// Its lines outside of blocks, with their numbers.
    fn prose(&self) -> impl Iterator<Item = (usize, &str)> {
        let mut inside = false;
        self.text.lines().enumerate().filter_map(move |(k, line)| {
            let fence = line.trim_start().starts_with("```");
            inside ^= fence;
            (!inside && !fence).then_some((k + 1, line))
        })
    }

    /// What stands behind the fences that open blocks.
    fn fences(&self) -> impl Iterator<Item = (usize, &str)> {
        let fences = self.text.lines().enumerate().filter_map(|(k, line)| Some((k + 1, line.trim_start().strip_prefix("```")?)));
        fences.step_by(2)
    }

    /// The names that GitHub and mdBook give to its headings.
    fn anchors(&self) -> BTreeSet<String> {
        let headings = self.prose().filter_map(|(_, line)| Some(line.strip_prefix('#')?.trim_start_matches('#').trim()));
        headings.map(anchor).collect()
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase();
    kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Where the links of a line of prose lead.
fn links(line: &str) -> Vec<&str> {
    let mut code = false;
    let mut links = Vec::new();
    for (at, c) in line.char_indices() {
        code ^= c == '`';
        if let (false, Some(rest)) = (code, line[at..].strip_prefix("](")) {
            links.extend(rest.split_once(')').map(|(link, _)| link));
        }
    }
    links
}

/// Pages with links: the README, the chapters, and the cookbook's.
fn pages() -> Vec<Page> {
    let mut pages: Vec<Page> = TESTED.iter().copied().chain(["docs/SUMMARY.md", "examples/cookbook/README.md"]).map(Page::read).collect();
    pages.extend(recipes().iter().map(|name| Page::read(&format!("examples/cookbook/src/{name}/README.md"))));
    pages
}

/// The folders of the cookbook.
fn recipes() -> Vec<String> {
    let folders = std::fs::read_dir(root().join("examples/cookbook/src")).expect("the cookbook");
    let folders = folders.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_dir());
    folders.map(|path| path.file_name().expect("a name").to_string_lossy().into_owned()).collect()
}

#[test]
fn every_chapter_is_in_the_table_of_contents_and_tested() {
    let summary = Page::read("docs/SUMMARY.md");
    let listed: Vec<String> = summary.prose().flat_map(|(_, line)| links(line)).map(|link| format!("docs/{link}")).collect();
    let there = std::fs::read_dir(root().join("docs")).expect("the book").map(|entry| entry.expect("an entry").path());
    let markdown = there.filter(|path| path.extension().is_some_and(|extension| extension == "md"));
    let names = markdown.map(|path| format!("docs/{}", path.file_name().expect("a name").to_string_lossy()));
    let there: BTreeSet<String> = names.filter(|name| name != "docs/SUMMARY.md").collect();
    assert_eq!(listed.iter().cloned().collect::<BTreeSet<_>>(), there, "SUMMARY.md and the files in docs/");
    let tested: Vec<&str> = TESTED.iter().copied().filter(|file| file.starts_with("docs/")).collect();
    assert_eq!(listed, tested, "SUMMARY.md and the chapters in lib.rs");
}

#[test]
fn links_lead_somewhere() {
    for page in pages() {
        let folder = Path::new(&page.file).parent().expect("a folder").to_owned();
        for (line, link) in page.prose().flat_map(|(line, text)| links(text).into_iter().map(move |link| (line, link))) {
            if link.starts_with("https://") {
                continue;
            }
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { PathBuf::from(&page.file) } else { folder.join(file) };
            let from = format!("{}:{line}: link `{link}`", page.file);
            assert!(root().join(&target).exists(), "{from} leads to no file");
            if !heading.is_empty() {
                let anchors = Page::read(&target.to_string_lossy()).anchors();
                assert!(anchors.contains(heading), "{from} leads to no heading; there are {anchors:?}");
            }
        }
    }
}

#[test]
fn every_block_says_what_it_is() {
    for page in pages() {
        for (line, fence) in page.fences() {
            let language = fence.split([',', ' ']).next().unwrap_or_default();
            let known = RUN.contains(&language) || SHOWN.contains(&language);
            assert!(known, "{}:{line}: a block of `{language}`; known are {RUN:?}, which are run, and {SHOWN:?}", page.file);
        }
    }
}

/// Pages whose blocks with `ignore` have a test of their own: CubeCL's program is compiled by `cargo xtask test --only cubecl`, graphs of a GPU are
/// run by `tests/cuda_launch/python`.
const TESTED_ELSEWHERE: [&str; 2] = ["docs/comparison.md", "docs/cuda.md"];

/// Behind `rust,ignore` stands the file that a block is from, where it is compiled and tested.
#[test]
fn what_is_not_run_here_is_tested_elsewhere() {
    let mut count = 0;
    for page in pages() {
        let blocks = page.text.split("\n```").skip(1).step_by(2);
        for (fence, code) in blocks.filter_map(|block| block.split_once('\n')).filter(|(fence, _)| fence.contains("ignore")) {
            let Some((_, file)) = fence.split_once(' ') else {
                assert!(TESTED_ELSEWHERE.contains(&page.file.as_str()), "{}: a block of `{fence}` that nothing tests", page.file);
                continue;
            };
            let source = Page::read(file).text;
            for item in code.split("\n\n") {
                assert!(source.contains(item.trim_end()), "{}: not in {file}:\n{item}", page.file);
                count += 1;
            }
        }
    }
    assert!(count >= 4, "{count} items");
}

/// A kernel, a test, and a page of 20 lines with a measured row.
#[test]
fn recipes_are_whole() {
    let recipes = recipes();
    assert!(recipes.len() >= 14, "{recipes:?}");
    for name in recipes {
        let folder = root().join("examples/cookbook/src").join(&name);
        for file in ["mod.rs".to_owned(), "speed.py".to_owned(), format!("test_{name}.py")] {
            assert!(folder.join(&file).exists(), "{name} has no {file}");
        }
        let page = std::fs::read_to_string(folder.join("README.md")).expect("its page");
        let lines = page.lines().filter(|line| !line.is_empty()).count();
        assert!((15..=20).contains(&lines), "{name}: {lines} lines that are not empty");
        let row: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("| milliseconds |")).collect();
        assert_eq!(row.len(), 1, "{name}: one measured row");
        let figures = row[0].trim_end_matches('|').split('|').map(|cell| cell.trim().parse::<f64>());
        assert!(figures.clone().count() == 3 && figures.flatten().all(|figure| figure > 0.0), "{name}: {row:?}");
        assert!(page.ends_with("by `cargo xtask bench --cookbook`.\n"), "{name} says what measured it");
    }
}

#[test]
fn headings_and_links_are_read() {
    assert_eq!(anchor("`lanes` and f16, bf16"), "lanes-and-f16-bf16");
    assert_eq!(links("see [a](a.md#b), `[c](d)` and [e](https://f)"), ["a.md#b", "https://f"]);
}
