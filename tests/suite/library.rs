//! The standard library: what its tests say holds, and the page about it names all that a user has to know.

use motix_stdlib::MODULES;
use motix_tests::{motixc, read};

/// The words after a prefix in the lines that begin with it.
fn after<'t>(text: &'t str, prefix: &str) -> Vec<&'t str> {
    text.lines().filter_map(|line| line.trim().strip_prefix(prefix)).collect()
}

/// What a module gives to its user: parameters, animations, events, constants.
fn given(path: &str) -> Vec<String> {
    let info = motixc(&["info", "--color", "never", path]).out;
    let source = read(path);
    let name = |text: &str| text.split([':', ' ', '=']).next().unwrap_or("").to_owned();
    let mut names: Vec<String> = Vec::new();
    for prefix in ["parameter ", "animation ", "behavior "] {
        names.extend(after(&info, prefix).into_iter().map(name));
    }
    for list in after(&info, "events: ") {
        names.extend(list.split(", ").map(str::to_owned));
    }
    names.extend(after(&source, "Const ").into_iter().map(name));
    names
}

#[test]
fn every_module_is_described_with_all_that_it_gives() {
    let page = read("docs/standard-library.md");
    for module in MODULES {
        let heading = format!("\n## `{}`\n", module.name);
        let Some((_, rest)) = page.split_once(&heading) else { panic!("no section `{}`", module.name) };
        let section = rest.split("\n## ").next().unwrap_or(rest);
        let path = format!("stdlib/{}.motix", module.name);
        for name in given(&path) {
            let told = section.contains(&format!("`{name}`"))
                || section.contains(&format!("`{name}("))
                || section.contains(&format!("Behavior {name}`"));
            assert!(told, "the section of `{}` does not name `{name}`", module.name);
        }
        assert!(
            page.contains(&format!("| [`{}`](#", module.name)),
            "the first table names `{}`",
            module.name
        );
    }
}

#[test]
fn what_the_tests_of_the_modules_say_holds() {
    for module in MODULES {
        let path = format!("stdlib/{}.motix", module.name);
        for way in [&["test", "--color", "never"][..], &["test", "--color", "never", "--through-bytes"][..]] {
            let run = motixc(&[way, &[path.as_str()]].concat());
            assert_eq!(run.code, 0, "{}{}", run.out, run.err);
        }
        assert!(read(&path).contains("\nTest \""), "{path} has tests");
    }
}
