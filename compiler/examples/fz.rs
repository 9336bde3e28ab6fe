//! fuzz
use motix_compiler::source::*;
struct Fs;
impl Loader for Fs {
    fn load(&self, path: &str, _from: &str) -> Result<(String, Vec<u8>), ReadError> {
        if path == "./a.motix" {
            Ok((
                "a".into(),
                b"Const K = 2 Enum Mood { calm wary } Behavior Guard { InitialState A State A }".to_vec(),
            ))
        } else {
            Err(ReadError::Missing(vec![]))
        }
    }
}
struct Mem(String);
impl Loader for Mem {
    fn load(&self, path: &str, from: &str) -> Result<(String, Vec<u8>), ReadError> {
        if path == "x" { Ok(("x".into(), self.0.clone().into_bytes())) } else { Fs.load(path, from) }
    }
}
fn run(text: &str) -> (bool, bool) {
    let c = motix_compiler::pipeline::compile(
        "x",
        &Mem(text.to_owned()),
        motix_compiler::pipeline::Options { tests: true },
    )
    .unwrap();
    for d in c.diagnostics.list() {
        if matches!(d.code.id(), "MX0901") {
            println!("INTERNAL {}", d.message);
            panic!();
        }
    }
    let parse = c.diagnostics.list().iter().any(|d| d.code.id() < "MX0200");
    (parse, c.diagnostics.has_errors())
}
fn main() {
    let files: Vec<String> = std::env::args().skip(2).map(|p| std::fs::read_to_string(p).unwrap()).collect();
    let n: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut seed = 12345u64;
    let mut r = move |m: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 11) as usize % m.max(1)
    };
    let toks: Vec<Vec<String>> = files
        .iter()
        .map(|f| {
            let mut v = vec![];
            let mut cur = String::new();
            for c in f.chars() {
                if c.is_alphanumeric() || c == '_' || c == '.' {
                    cur.push(c)
                } else {
                    if !cur.is_empty() {
                        v.push(std::mem::take(&mut cur));
                    }
                    v.push(c.to_string());
                }
            }
            v.push(cur);
            v
        })
        .collect();
    let (mut clean, mut checked) = (0, 0);
    for _ in 0..n {
        let mut t = toks[r(toks.len())].clone();
        for _ in 0..1 + r(2) {
            let other = &toks[r(toks.len())];
            let i = r(t.len());
            match r(6) {
                0 | 4 if r(3) > 0 => {
                    let nums: Vec<usize> =
                        (0..t.len()).filter(|i| t[*i].parse::<f32>().is_ok() || t[*i].len() > 1).collect();
                    if !nums.is_empty() {
                        let a = nums[r(nums.len())];
                        let b = nums[r(nums.len())];
                        let x = t[b].clone();
                        t[a] = x;
                    }
                }
                0 => {
                    t.remove(i);
                }
                1 => {
                    let x = other[r(other.len())].clone();
                    t[i] = x;
                }
                2 => {
                    let j = r(t.len());
                    t.swap(i, j);
                }
                3 => {
                    let x = other[r(other.len())].clone();
                    t.insert(i, x);
                }
                4 => {
                    let words: Vec<usize> = (0..t.len()).filter(|i| t[*i].len() > 1).collect();
                    if !words.is_empty() {
                        let a = words[r(words.len())];
                        let b = words[r(words.len())];
                        t[a] = t[b].clone();
                    }
                }
                _ => {
                    let a = r(other.len());
                    let b = (a + r(40)).min(other.len());
                    let piece: Vec<String> = other[a..b].to_vec();
                    for x in piece.into_iter().rev() {
                        t.insert(i, x);
                    }
                }
            }
            if t.is_empty() {
                break;
            }
        }
        let text = t.concat();
        let shown = text.clone();
        match std::panic::catch_unwind(move || run(&text)) {
            Ok((p, e)) => {
                if !p {
                    checked += 1;
                }
                if !e {
                    clean += 1;
                }
            }
            Err(_) => {
                println!("PANIC on:\n{shown}");
                return;
            }
        }
    }
    println!("{n} mutants, {checked} parsed without errors, {clean} clean");
}
