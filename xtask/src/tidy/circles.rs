//! Import cycles: no two modules of a crate import each other, directly or through others.
//!
//! A module counts with its submodules: if `a::x` imports `b` and `b::y` imports `a`, the modules `a` and `b` import each
//! other. A module may use its own submodules, and they may use its items. An import of a re-export counts as an import of the
//! file that defines the item. Tests do not count.
//!
//! `cargo modules --acyclic` checks the same, but contains rust-analyzer, which takes minutes to build.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemMod, ItemUse, Macro, Meta, UseTree};

use super::files::SourceFile;
use super::packages::Packages;

/// The path of a module or an item from the root of its crate.
type ModulePath = Vec<String>;

/// Maximum length of a chain of re-exports that is followed.
const MOST_HOPS: usize = 8;

/// The import cycles of each crate, one line per import.
pub(super) fn breaches(files: &[SourceFile], packages: &Packages) -> Vec<String> {
    packages.iter().flat_map(|package| breaches_in(&package.folder, files)).collect()
}

fn breaches_in(folder: &str, files: &[SourceFile]) -> Vec<String> {
    let root = format!("{folder}/src/");
    let mut sources = BTreeMap::new();
    let mut found = Vec::new();
    for file in files {
        let Some(module) = file.path.strip_prefix(&root).and_then(module_of) else { continue };
        match file.tree() {
            Ok(tree) => {
                let mut source = Source { module: module.clone(), ..Source::default() };
                source.visit_file(tree);
                sources.insert(module, source);
            }
            Err(error) => found.push(format!("{}: it can't be parsed: {error}", file.path)),
        }
    }
    let circles = Graph::new(&sources).circles().into_iter();
    found.extend(circles.map(|circle| format!("{folder}: modules import each other: {circle}")));
    found
}

/// The module of a file below `src/`; `None` for files that are not Rust, and for tests. Programs beside a library are separate
/// crates and import none of its modules by `crate::`.
fn module_of(path: &str) -> Option<ModulePath> {
    let mut module: ModulePath = path.strip_suffix(".rs")?.split('/').map(str::to_owned).collect();
    if module.last().is_some_and(|last| last == "mod") || module == ["lib"] {
        module.pop();
    }
    (!module.iter().any(|part| part == "tests")).then_some(module)
}

/// The imports and paths in one file.
#[derive(Default)]
struct Source {
    /// The module that is being visited.
    module: ModulePath,
    /// The `use` declarations of each module in the file: the imported name (`*`: all) and its path.
    imports: Vec<(ModulePath, String, Vec<String>)>,
    /// The paths used in each module's items.
    paths: Vec<(ModulePath, Vec<String>)>,
}

impl Source {
    /// Adds the paths in the tokens of a macro or an attribute.
    fn add_tokens(&mut self, tokens: TokenStream) {
        let (mut path, mut colons) = (Vec::new(), 0);
        for token in tokens {
            match token {
                TokenTree::Ident(name) => {
                    if colons != 2 {
                        self.add_path(std::mem::take(&mut path));
                    } else if path.is_empty() {
                        // A path that begins with `::` refers to another crate.
                        path.push(String::new());
                    }
                    path.push(name.to_string());
                    colons = 0;
                }
                TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
                other => {
                    self.add_path(std::mem::take(&mut path));
                    colons = 0;
                    if let TokenTree::Group(group) = other {
                        self.add_tokens(group.stream());
                    }
                }
            }
        }
        self.add_path(path);
    }

    fn add_path(&mut self, path: Vec<String>) {
        if path.len() > 1 {
            self.paths.push((self.module.clone(), path));
        }
    }
}

impl Visit<'_> for Source {
    fn visit_item(&mut self, item: &Item) {
        if !attributes_of(item).iter().any(is_for_tests) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, item: &ItemMod) {
        self.module.push(item.ident.to_string());
        visit::visit_item_mod(self, item);
        self.module.pop();
    }

    fn visit_item_use(&mut self, item: &ItemUse) {
        if item.leading_colon.is_none() {
            for (name, path) in imports_of(&item.tree, &[]) {
                self.imports.push((self.module.clone(), name, path));
            }
        }
    }

    fn visit_path(&mut self, path: &syn::Path) {
        if path.leading_colon.is_none() {
            self.add_path(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, item: &Macro) {
        self.visit_path(&item.path);
        self.add_tokens(item.tokens.clone());
    }

    fn visit_attribute(&mut self, attribute: &Attribute) {
        if let Meta::List(list) = &attribute.meta {
            self.add_tokens(list.tokens.clone());
        }
    }
}

/// The names that a `use` imports (`*`: all names), each with its path.
pub(super) fn imports_of(tree: &UseTree, before: &[String]) -> Vec<(String, Vec<String>)> {
    let with = |name: &syn::Ident| before.iter().cloned().chain([name.to_string()]).collect::<Vec<_>>();
    vec![match tree {
        UseTree::Path(path) => return imports_of(&path.tree, &with(&path.ident)),
        UseTree::Group(group) => return group.items.iter().flat_map(|tree| imports_of(tree, before)).collect(),
        UseTree::Glob(_) => ("*".to_owned(), before.iter().cloned().chain(["*".to_owned()]).collect()),
        UseTree::Name(name) if name.ident == "self" => (before.last().cloned().unwrap_or_default(), before.to_vec()),
        UseTree::Name(name) => (name.ident.to_string(), with(&name.ident)),
        UseTree::Rename(rename) => (rename.rename.to_string(), with(&rename.ident)),
    }]
}

fn attributes_of(item: &Item) -> &[Attribute] {
    match item {
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether an attribute is `#[cfg(test)]`, alone or combined with other conditions.
pub(super) fn is_for_tests(attribute: &Attribute) -> bool {
    fn names_test(tokens: TokenStream) -> bool {
        tokens.into_iter().any(|token| match token {
            TokenTree::Ident(name) => name == "test",
            TokenTree::Group(group) => names_test(group.stream()),
            _ => false,
        })
    }
    matches!(&attribute.meta, Meta::List(list) if list.path.is_ident("cfg") && names_test(list.tokens.clone()))
}

/// The import graph between sibling modules.
struct Graph<'a> {
    modules: BTreeSet<&'a ModulePath>,
    /// What the imported names in each module refer to.
    names: BTreeMap<&'a ModulePath, BTreeMap<&'a str, ModulePath>>,
    /// Imports between modules, each with a file that contains it.
    edges: BTreeMap<ModulePath, BTreeMap<ModulePath, &'a ModulePath>>,
}

impl<'a> Graph<'a> {
    fn new(sources: &'a BTreeMap<ModulePath, Source>) -> Self {
        let mut graph = Self { modules: sources.keys().collect(), names: BTreeMap::new(), edges: BTreeMap::new() };
        for (module, name, path) in sources.values().flat_map(|source| &source.imports) {
            if let Some(absolute) = graph.absolute(module, path) {
                graph.names.entry(module).or_default().insert(name, absolute);
            }
        }
        for (file, source) in sources {
            let imported = source.imports.iter().map(|(module, _, path)| (module, path));
            let named = source.paths.iter().map(|(module, path)| (module, path));
            for (module, path) in imported.chain(named) {
                if let Some(target) = graph.target(module, path) {
                    graph.add(file, &target);
                }
            }
        }
        graph
    }

    /// Adds an import, as an edge between the two sibling modules that contain the files.
    fn add(&mut self, file: &'a ModulePath, target: &[String]) {
        let shared = file.iter().zip(target).take_while(|(one, other)| one == other).count();
        // A module may use its own submodules, and they may use its items.
        if shared < file.len() && shared < target.len() {
            let imports = self.edges.entry(file[..=shared].to_vec()).or_default();
            imports.entry(target[..=shared].to_vec()).or_insert(file);
        }
    }

    /// Resolves a path in a module to a path from the crate's root; `None` for another crate.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<ModulePath> {
        let mut base = module.to_vec();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => base.clear(),
            "self" => {}
            "super" => {
                base.pop();
            }
            first => {
                base.push(first.to_owned());
                if !self.modules.contains(&base) {
                    return None;
                }
            }
        }
        rest = &rest[1..];
        while rest.first().is_some_and(|segment| segment == "super") {
            base.pop();
            rest = &rest[1..];
        }
        base.extend(rest.iter().cloned());
        Some(base)
    }

    /// The file that defines the item of a path; `None` when the path names only a module, or another crate.
    fn target(&self, module: &ModulePath, path: &[String]) -> Option<ModulePath> {
        let by_name = || {
            let mut absolute = self.names.get(module)?.get(path.first()?.as_str())?.clone();
            absolute.extend(path[1..].iter().cloned());
            Some(absolute)
        };
        self.follow(self.absolute(module, path).or_else(by_name)?)
    }

    /// Follows re-exports from module to module.
    fn follow(&self, mut absolute: ModulePath) -> Option<ModulePath> {
        for _ in 0..MOST_HOPS {
            if self.modules.contains(&absolute) {
                return None;
            }
            let mut base = absolute.clone();
            while !self.modules.contains(&base) {
                base.pop()?;
            }
            let (item, rest) = absolute[base.len()..].split_first()?;
            match self.names.get(&base).and_then(|names| names.get(item.as_str())) {
                Some(elsewhere) if *elsewhere != absolute => {
                    absolute = elsewhere.iter().chain(rest).cloned().collect();
                }
                _ => return Some(base),
            }
        }
        None
    }

    /// Strongly connected groups of modules: every import within a group, with a file.
    fn circles(&self) -> Vec<String> {
        let reached: BTreeMap<_, _> = self.edges.keys().map(|module| (module, self.reached_from(module))).collect();
        let mut seen = BTreeSet::new();
        let mut circles = Vec::new();
        for module in self.edges.keys() {
            let group: BTreeSet<&ModulePath> = (reached[module].iter().copied())
                .filter(|other| reached.get(other).is_some_and(|back| back.contains(module)))
                .collect();
            if !group.contains(module) || !seen.insert(group.clone()) {
                continue;
            }
            let imports = group.iter().flat_map(|from| {
                let within = self.edges[*from].iter().filter(|(to, _)| group.contains(to));
                within.map(|(to, file)| format!("{} imports {} (in {})", name_of(from), name_of(to), name_of(file)))
            });
            circles.push(imports.collect::<Vec<_>>().join(", "));
        }
        circles
    }

    fn reached_from<'b>(&'b self, module: &'b ModulePath) -> BTreeSet<&'b ModulePath> {
        let mut reached = BTreeSet::new();
        let mut open = vec![module];
        while let Some(next) = open.pop() {
            open.extend(self.edges.get(next).into_iter().flat_map(BTreeMap::keys).filter(|to| reached.insert(*to)));
        }
        reached
    }
}

fn name_of(module: &ModulePath) -> String {
    module.join("::")
}

#[cfg(test)]
mod tests {
    use super::super::packages::fixture;
    use super::*;

    fn of(files: &[(&str, &str)]) -> Vec<String> {
        let packages = fixture(&[("crates/mail", "mail", &[])]);
        let files: Vec<SourceFile> =
            files.iter().map(|(path, text)| SourceFile::new(&format!("crates/mail/src/{path}"), text)).collect();
        breaches(&files, &packages)
    }

    #[test]
    fn two_modules_that_import_each_other_are_a_breach() {
        let found = of(&[
            ("lib.rs", "mod a;\nmod b;\n"),
            ("a.rs", "use crate::b::B;\npub struct A;\n"),
            ("b.rs", "use crate::{a::A};\npub struct B;\n"),
        ]);
        assert_eq!(found, ["crates/mail: modules import each other: a imports b (in a), b imports a (in b)"]);
    }

    #[test]
    fn a_circle_of_three_is_found_through_a_re_export_and_an_alias() {
        let found = of(&[
            ("lib.rs", "mod a;\nmod b;\nmod c;\npub use b::B;\n"),
            ("a.rs", "use super::B as Bee;\nuse super::c;\nfn f() -> Bee { Bee }\n"),
            ("b.rs", "use crate::c;\nfn g() { c::h() }\npub struct B;\n"),
            ("c/mod.rs", "pub fn h() { crate::a::f() }\n"),
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
        for import in ["a imports b", "b imports c", "c imports a"] {
            assert!(found[0].contains(import), "{found:?}");
        }
    }

    #[test]
    fn a_module_counts_with_its_submodules() {
        let found = of(&[
            ("lib.rs", "mod a;\nmod b;\n"),
            ("a/mod.rs", "mod x;\npub fn f() { x::g() }\n"),
            ("a/x.rs", "pub fn g() { crate::b::h() }\n"),
            ("b.rs", "pub fn h() {}\nfn i() { crate::a::f() }\n"),
        ]);
        assert_eq!(found, ["crates/mail: modules import each other: a imports b (in a::x), b imports a (in b)"]);
    }

    #[test]
    fn imports_within_macros_and_attributes_count() {
        let found = of(&[
            ("lib.rs", "mod a;\nmod b;\n"),
            ("a.rs", "#[derive(X)]\n#[with(crate::b::B)]\npub struct A;\n"),
            ("b.rs", "fn f() { println!(\"{}\", vec![crate::a::A]) }\npub struct B;\n"),
        ]);
        assert_eq!(found.len(), 1, "{found:?}");
    }

    #[test]
    fn a_module_may_name_its_submodules_and_they_what_it_has() {
        let found = of(&[
            ("lib.rs", "mod a;\n"),
            ("a/mod.rs", "mod b;\nuse b::B;\npub struct A(B);\npub const N: usize = 1;\n"),
            ("a/b.rs", "use super::N;\npub struct B;\n"),
        ]);
        assert_eq!(found, Vec::<String>::new());
    }

    #[test]
    fn comments_texts_tests_and_other_crates_do_not_count() {
        let found = of(&[
            ("lib.rs", "mod a;\nmod b;\n"),
            ("a.rs", "use crate::b::B;\npub struct A;\n"),
            (
                "b.rs",
                "// use crate::a::A;\nuse ::a::A;\nconst T: &str = \"crate::a::A\";\npub struct B;\n\
                 #[cfg(test)]\nmod tests {\n    use crate::a::A;\n}\n",
            ),
            ("b/tests.rs", "use crate::a::A;\n"),
        ]);
        assert_eq!(found, Vec::<String>::new());
    }

    #[test]
    fn a_file_that_is_no_rust_is_a_breach() {
        let found = of(&[("lib.rs", "fn {")]);
        assert!(found[0].starts_with("crates/mail/src/lib.rs: it can't be parsed"), "{found:?}");
    }
}
