use motix_compiler::{
    check,
    diagnostic::{Diagnostics, human::Renderer},
    intern::Interner,
    lex, parse, resolve,
    source::*,
};
struct Fs;
impl Loader for Fs {
    fn load(&self, path: &str, from: &str) -> Result<(String, Vec<u8>), ReadError> {
        let at = std::path::Path::new(from).parent().unwrap().join(path);
        match std::fs::read(&at) {
            Ok(b) => Ok((at.display().to_string(), b)),
            Err(_) => Err({
                if at.is_dir() {
                    ReadError::Unreadable("it is a folder".into())
                } else {
                    ReadError::Missing(vec![at.display().to_string()])
                }
            }),
        }
    }
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::fs::read_to_string(&args[1]).unwrap();
    let mut sources = SourceMap::default();
    let root = sources.add(args[1].clone(), text);
    let mut names = Interner::default();
    let mut d = Diagnostics::default();
    let t = std::time::Instant::now();
    let mut parse_time = std::time::Duration::ZERO;
    let loaded = resolve::load(
        root,
        &mut sources,
        &Fs,
        &mut names,
        &mut |id, text, names, d| {
            let t = std::time::Instant::now();
            let lexed = lex::lex(id, text, names, d);
            let f = parse::parse(id, &lexed, names, d);
            parse_time = t.elapsed();
            f
        },
        &mut d,
    );
    let t1 = t.elapsed() - parse_time;
    let t = std::time::Instant::now();
    let hir = check::check(&loaded, &mut names, &mut d);
    let t2 = t.elapsed();
    if args.len() > 2 && args[2] == "hir" {
        println!("{hir:#?}");
    }
    if args.len() > 2 && args[2] == "time" {
        eprintln!("parse {parse_time:?} load {t1:?} check {t2:?}, {} diagnostics", d.list().len());
        return;
    }
    let list = d.sorted();
    if args.len() > 2 && args[2] == "codes" {
        for x in list {
            println!("{}", x.code.id());
        }
        return;
    }
    let mut h = Renderer::new(&sources, false);
    let mut out = Vec::new();
    for x in list.iter().take(60) {
        h.write(x, &mut out).unwrap();
    }
    print!("{}", String::from_utf8_lossy(&out));
    eprintln!("{} errors, {} diagnostics", d.error_count(), list.len());
}
