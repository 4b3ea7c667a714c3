//! Inline assembly: each idiom against the compiled instruction, what threads do with it, and what is refused.
//!
//! An idiom is the body of `word f(word a, word b)`, where `word *at` is memory that is `b` before, and whose value afterwards
//! goes into the result as well. It is executed for a grid of values, by the interpreter and as the system's compiler
//! builds it.

use crate::native;
use crate::oracle::on_a_deep_stack;

/// Idioms on words of one width: `{s}` is the suffix of instructions, `word` the type.
const SUFFIXED: &[&str] = &[
    r#"asm volatile("lock; add{s} %1, %0" : "+m"(*at) : "ir"(a) : "memory", "cc"); return 0;"#,
    r#"char z; asm volatile("lock; sub{s} %2, %0; setz %1" : "+m"(*at), "=q"(z) : "q"(a) : "memory"); return z;"#,
    r#"char z; asm volatile("lock; sub{s} %2, %0; setc %1" : "+m"(*at), "=q"(z) : "q"(a) : "memory"); return z;"#,
    r#"char z; asm volatile("lock; add{s} %2, %0; seto %1" : "+m"(*at), "=q"(z) : "q"(a) : "memory"); return z;"#,
    r#"char z; asm volatile("lock; add{s} %2, %0; sets %1" : "+m"(*at), "=q"(z) : "q"(a) : "memory"); return z;"#,
    r#"char z; asm volatile("cmp{s} %1, %2; setg %0" : "=q"(z) : "q"(a), "q"(b) : "cc"); return z;"#,
    r#"char z; asm volatile("cmp{s} %1, %2; setle %0" : "=q"(z) : "q"(a), "q"(b) : "cc"); return z;"#,
    r#"char z; asm volatile("cmp{s} %1, %2; setl %0" : "=q"(z) : "q"(a), "q"(b) : "cc"); return z;"#,
    r#"char z; asm volatile("cmp{s} %1, %2; seta %0" : "=q"(z) : "q"(a), "q"(b) : "cc"); return z;"#,
    r#"char z; asm volatile("cmp{s} %1, %2; setbe %0" : "=q"(z) : "q"(a), "q"(b) : "cc"); return z;"#,
    r#"char z; asm volatile("test{s} %1, %2; setns %0" : "=q"(z) : "q"(a), "q"(b) : "cc"); return z;"#,
    r#"asm volatile("lock; and{s} %1, %0" : "+m"(*at) : "q"(a) : "memory"); return 0;"#,
    r#"asm volatile("lock; or{s} %1, %0" : "=m"(*at) : "iq"(a), "m"(*at) : "memory"); return 0;"#,
    r#"char z; asm volatile("lock; xor{s} %2, %0; setne %1" : "+m"(*at), "=qm"(z) : "q"(a) : "memory"); return z;"#,
    r#"char z; asm volatile("lock; inc{s} %0; sete %1" : "+m"(*at), "=qm"(z) :: "memory"); return z;"#,
    r#"char z; asm volatile("lock; dec{s} %0; sete %1" : "+m"(*at), "=qm"(z) :: "memory"); return z;"#,
    r#"char z; asm volatile("lock; inc{s} %0; seto %1" : "+m"(*at), "=qm"(z) :: "memory"); return z;"#,
    r#"char z; asm volatile("dec{s} %0; sets %1" : "+m"(*at), "=qm"(z) :: "memory"); return z;"#,
    r#"char z; asm volatile("neg{s} %0; setc %1" : "+q"(a), "=&q"(z)); return a + z;"#,
    r#"asm volatile("lock; not{s} %0" : "+m"(*at) :: "memory"); return 0;"#,
    r#"asm volatile("xchg{s} %0, %1" : "+q"(a), "+m"(*at) :: "memory"); return a;"#,
    r#"asm volatile("xchg{s} %0, %1" : "=q"(a), "+m"(*at) : "0"(a) : "memory"); return a;"#,
    r#"asm volatile("lock; xadd{s} %0, %1" : "+q"(a), "+m"(*at) :: "memory", "cc"); return a;"#,
    r#"char z; asm volatile("lock; xadd{s} %0, %1; setc %2" : "+q"(a), "+m"(*at), "=&q"(z) :: "memory"); return a + z;"#,
    r#"word was = c; asm volatile("lock; cmpxchg{s} %2, %1" : "+a"(was), "+m"(*at) : "q"(a) : "memory"); return was;"#,
    r#"word was; asm volatile("lock; cmpxchg{s} %2, %1" : "=a"(was), "+m"(*at) : "q"(a), "0"(b) : "memory"); return was;"#,
    r#"char z; word was = c; asm volatile("lock cmpxchg{s} %3, %0; setz %1" : "+m"(*at), "=q"(z), "+a"(was) : "q"(a) : "memory", "cc"); return z ? 100 : was;"#,
    r#"_Bool z; word was = c; asm volatile("lock; cmpxchg{s} %3, %0" : "+m"(*at), "=@ccz"(z), "+a"(was) : "q"(a) : "memory"); return z ? 7 : was;"#,
    r#"char z; asm volatile("lock; cmpxchg{s} %2, %0; setz %1" : "+m"(*at), "=a"(z) : "q"(a), "a"(c) : "memory"); return z;"#,
    r#"word was = c; asm volatile("cmpxchg{s} %2, %1" : "+a"(was), "+m"(*at) : "q"(a) : "memory"); return was;"#,
    r#"word r; asm volatile("mov{s} %1, %0" : "=q"(r) : "m"(*at) : "memory"); return r + a;"#,
    r#"asm volatile("mov{s} %1, %0" : "=m"(*at) : "q"(a) : "memory"); return 0;"#,
    r#"word r; asm volatile("mov{s} (%1), %0" : "=q"(r) : "r"(at) : "memory"); return r;"#,
    r#"asm volatile("lock; add{s} $3, (%0)" :: "r"(at) : "memory"); return 0;"#,
    r#"asm volatile("xadd{s} %[old], %[at]" : [old] "+q"(a), [at] "+q"(b)); return a ^ (word)(b << 1);"#,
    r#"asm volatile("cmpxchg%z1 %2, %1" : "+a"(c), "+m"(*at) : "q"(a) : "memory"); return c;"#,
];

/// Idioms on words of 16, 32 and 64 bits.
const WIDE: &[&str] = &[
    r#"char z; asm volatile("lock; bts{s} %2, %0; setc %1" : "+m"(*at), "=q"(z) : "q"((word)(a % (8 * sizeof(word)))) : "memory"); return z;"#,
    r#"char z; asm volatile("lock; btr{s} %2, %0; setc %1" : "+m"(*at), "=q"(z) : "q"((word)(a % (8 * sizeof(word)))) : "memory"); return z;"#,
    r#"char z; asm volatile("lock; btc{s} %2, %0; setc %1" : "+m"(*at), "=q"(z) : "q"((word)(a % (8 * sizeof(word)))) : "memory"); return z;"#,
    r#"word far[4] = {b, a, c, 5}; asm volatile("bts{s} %1, %0" : "+m"(far) : "q"((word)(a % (24 * sizeof(word)))) : "memory"); return far[0] + 3 * far[1] + 7 * far[2] + far[3];"#,
    r#"_Bool z; asm volatile("bt{s} $3, %1" : "=@ccc"(z) : "q"(a)); return z;"#,
    r#"word r; asm volatile("bt{s} %2, %1; sbb{s} %0, %0" : "=q"(r) : "m"(*at), "Iq"((word)5) : "memory"); return r;"#,
    r#"asm volatile("cmp{s} %1, %2; cmovg{s} %1, %0" : "+q"(a) : "q"(b), "q"(c) : "cc"); return a;"#,
    r#"word r; asm volatile("cmp{s} %1, %2; cmovb %1, %0" : "=&q"(r) : "q"(b), "q"(c), "0"(a) : "cc"); return r;"#,
];

/// Idioms of 64 bits, with or without widths of their own.
const ALONE: &[&str] = &[
    r#"unsigned r; asm volatile("movzbl %b1, %0" : "=r"(r) : "q"(a)); return r;"#,
    r#"int r; asm volatile("movsbl %b1, %0" : "=r"(r) : "q"(a)); return r;"#,
    r#"long r; asm volatile("movslq %k1, %0" : "=r"(r) : "q"(a)); return r;"#,
    r#"asm volatile("movl %k1, %k0" : "+r"(a) : "r"(b)); return a;"#,
    r#"asm volatile("movw %w1, %w0" : "+r"(a) : "r"(b)); return a;"#,
    r#"asm volatile("movb %b1, %b0" : "+q"(a) : "q"(b)); return a;"#,
    r#"asm volatile("movq $-5, %0" : "=r"(a)); return a;"#,
    r#"asm volatile("movabsq $0x123456789abc, %0" : "=r"(a)); return a;"#,
    r#"asm volatile("leaq -8(%1), %0" : "=r"(a) : "r"(a)); return a;"#,
    r#"asm volatile("movq %%rbx, %%rcx; movq %%rcx, %0" : "=r"(a) : "b"(b) : "rcx"); return a;"#,
    r#"asm volatile("" : "+r"(a) : : "memory"); return a;"#,
    r#"asm volatile("mfence\n\tlfence\n\tsfence\n\tpause" : "+r"(a) : : "memory"); return a;"#,
    r#"asm volatile("prefetchw (%0)" : : "r"(at) : "memory"); return a;"#,
    r#"asm volatile(".pushsection .discard,\"a\"\n.balign 4\n.long 671f - .\n.popsection\n671:\n\tlock; incq %0" : "+m"(*at) : : "memory"); return a;"#,
    r#"asm volatile("lock; {addq %1, %0|add %0, %1}" : "+m"(*at) : "r"(a) : "memory"); return a;"#,
    r#"asm volatile("lock; addq %1, %0 # adds\n\t/* done */" : "+m"(*at) : "er"(a) : "memory"); return a;"#,
    r#"static word two[2] __attribute__((aligned(16))); two[0] = b; two[1] = c; char z; word low = a, high = c;
       asm volatile("lock; cmpxchg16b %0; setz %1" : "+m"(two), "=q"(z), "+a"(low), "+d"(high) : "b"(a + 1), "c"(b + 1) : "memory", "cc");
       return two[0] + 3 * two[1] + 5 * z + 7 * low + 11 * high;"#,
    r#"static word two[2] __attribute__((aligned(16))); two[0] = b; two[1] = c; word v[2];
       asm volatile("movq %%rdx, %%rcx; movq %%rax, %%rbx; lock cmpxchg16b %2;" : "=a"(v[0]), "=d"(v[1]) : "m"(*two) : "rbx", "rcx", "memory", "cc");
       return v[0] + 3 * v[1];"#,
    r#"static word two[2] __attribute__((aligned(16))), old[2]; two[0] = b; two[1] = c; old[0] = a; old[1] = c; char z;
       asm volatile("movq 0(%4), %%rax; movq 8(%4), %%rdx; lock cmpxchg16b %0; setz %1" : "+m"(*two), "=q"(z) : "b"(a ^ 1), "c"(b ^ 1), "q"(old) : "memory", "cc", "%rax", "%rdx");
       return two[0] + 3 * two[1] + 5 * z;"#,
    r#"unsigned was[2] __attribute__((aligned(8))) = {b, c}, low = a, high = c; char z;
       asm volatile("lock; cmpxchg8b %0; setz %1" : "+m"(was), "=q"(z), "+a"(low), "+d"(high) : "b"(1), "c"(2) : "memory");
       return was[0] + 3ul * was[1] + 5 * z + 7ul * low + 11ul * high;"#,
];

/// Types of words, and their suffixes.
const WIDTHS: [(&str, &str); 4] = [
    ("unsigned char", "b"),
    ("unsigned short", "w"),
    ("unsigned", "l"),
    ("unsigned long", "q"),
];

/// Values of the grid, as words.
const VALUES: &str = "{0, 1, 2, 5, 0x7f, 0x80, 0xff, 0x7fff, 0x8001, 0x7fffffff, 0x80000000ul, 0xfffffffful, 0x7ffffffffffffffful, 0x8000000000000000ul, -1ul}";

/// One function for each idiom and width, by number.
fn functions() -> Vec<String> {
    let mut found = Vec::new();
    let mut add = |body: &str, (word, suffix): (&str, &str)| {
        let number = found.len();
        let text = format!(
            "static unsigned long f{number}(word a, word b, word c, word *at) {{\n  {body}\n}}\n\
             static unsigned long p{number}(void) {{\n  unsigned long sum = 0;\n  \
             for (int i = 0; i < 15; i++) for (int j = 0; j < 15; j++) {{\n    \
             word at = values[j];\n    sum = sum * 31 + f{number}(values[i], values[j], values[i ^ 1 & j], &at);\n    \
             sum = sum * 31 + at;\n  }}\n  return sum;\n}}\n"
        );
        found.push(text.replace("word", word).replace("{s}", suffix));
    };
    for body in SUFFIXED {
        for width in WIDTHS {
            add(body, width);
        }
    }
    for body in WIDE {
        for width in &WIDTHS[1..] {
            add(body, *width);
        }
    }
    for body in ALONE {
        add(body, WIDTHS[3]);
    }
    found
}

/// Idioms that the interpreter computes otherwise than the compiled instruction.
fn wrong() -> Result<Vec<String>, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let functions = functions();
    let head = format!("static const unsigned long values[16] = {VALUES};\n");
    let calls: String = (0..functions.len())
        .map(|number| format!("  printf(\"%lu\\n\", p{number}());\n"))
        .collect();
    let text = format!(
        "{head}{}extern int printf(const char *, ...);\nint main(void) {{\n{calls}  return 0;\n}}\n",
        functions.concat()
    );
    let values = native::run(&text, folder.path())?;
    if values.len() != functions.len() {
        return Err(format!("{} of {} are run", values.len(), functions.len()));
    }
    let differs = |(number, (function, value)): (usize, (&String, u64))| {
        let text = format!(
            "{head}{function}unsigned long value;\nint main(void) {{ value = p{number}(); return 0; }}\n"
        );
        match native::interpreted(&text, &mut |_| ()) {
            Ok(own) if own == value => None,
            Ok(own) => Some(format!("{own} instead of {value}: {function}")),
            Err(why) => Some(format!("{why}: {function}")),
        }
    };
    let all = functions.iter().zip(values).enumerate();
    Ok(all.filter_map(differs).collect())
}

/// A lock of one byte, taken by `TAKE`, and two threads that add under it.
const LOCK: &str = r#"
#include <assert.h>
#include <pthread.h>
int count;
char lock;
static char take(void) { char free = 1; asm volatile(TAKE : "+&q"(free), "+m"(lock) :: "memory"); return free; }
void *add(void *unused) {
  while (take()) ;
  count++;
  asm volatile("movb $0, %0" : "=m"(lock) :: "memory");
  return 0;
}
int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, add, 0);
  pthread_create(&other, 0, add, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  assert(count == 2);
}
"#;

/// Each of two threads writes its variable and reads that of the other, with `BETWEEN` in between.
const STORE_BUFFERING: &str = r#"
#include <assert.h>
#include <pthread.h>
int x, y, from_x, from_y;
static void set(int *at) { asm volatile("movl $1, %0" : "=m"(*at) :: "memory"); }
static int get(int *at) { int r; asm volatile("movl %1, %0" : "=r"(r) : "m"(*at) : "memory"); return r; }
void *one(void *unused) { set(&x); BETWEEN; from_y = get(&y); return 0; }
void *other(void *unused) { set(&y); BETWEEN; from_x = get(&x); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(from_x || from_y);
}
"#;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::{Answer, Folder, Found};

    #[test]
    fn idioms_compute_what_the_machine_does() {
        if !native::is_available() {
            crate::tier::skipped("idioms as they are compiled", "no C compiler for x86-64");
            return;
        }
        let wrong = on_a_deep_stack(wrong).unwrap();
        assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    }

    fn verify(text: &str, options: &[&str]) -> Found {
        let folder = Folder::new(&[("a.c", text)]);
        folder.verify(&[options, &["--timeout", "60", "a.c"]].concat())
    }

    #[test]
    fn locks_of_instructions_exclude_each_other() {
        let lock = |take: &str| {
            let text = LOCK.replace("TAKE", take);
            verify(&text, &["--check", "assert,race"]).answer
        };
        assert_eq!(lock(r#""xchgb %0, %1""#), Answer::Complete);
        assert_eq!(
            lock(r#""lock; orb %0, %1; setz %0""#),
            Answer::Violated,
            "the flags are those of the result, which is never zero"
        );
        let apart = r#""movb %1, %0; movb $1, %1""#;
        assert_eq!(lock(apart), Answer::Violated);
    }

    #[test]
    fn stores_wait_in_buffers_for_what_is_locked() {
        for (between, answer) in [
            ("", Answer::Violated),
            (r#"asm volatile("" ::: "memory")"#, Answer::Violated),
            (r#"asm volatile("sfence" ::: "memory")"#, Answer::Violated),
            (r#"asm volatile("mfence" ::: "memory")"#, Answer::Complete),
            (
                r#"asm volatile("lock; addl $0, 0(%%rsp)" ::: "memory")"#,
                Answer::Complete,
            ),
            (
                r#"int z = 0; asm volatile("lock; addl $0, %0" : "+m"(z) :: "memory")"#,
                Answer::Complete,
            ),
            (
                r#"static int z; int r = 0; asm volatile("xchg %0, %1" : "+r"(r), "+m"(z) :: "memory")"#,
                Answer::Complete,
            ),
        ] {
            let text = STORE_BUFFERING.replace("BETWEEN", between);
            let found = verify(&text, &["--check", "assert", "--memory-model", "tso"]);
            assert_eq!(found.answer, answer, "{between}");
            let found = verify(&text, &["--check", "assert"]);
            assert_eq!(found.answer, Answer::Complete, "{between}");
        }
    }

    #[test]
    fn two_words_are_exchanged_where_they_are_aligned() {
        for (first, answer) in [(0, Answer::Complete), (1, Answer::Violated)] {
            let text = format!(
                "long all[4] __attribute__((aligned(16)));\nint main(void) {{ long low = 0, high = 0, *at = all + {first}; \
                 asm volatile(\"lock; cmpxchg16b %0\" : \"+m\"(*at), \"+a\"(low), \"+d\"(high) \
                 : \"b\"(1l), \"c\"(2l) : \"memory\", \"cc\"); return 0; }}\n"
            );
            assert_eq!(
                verify(&text, &["--check", "default"]).answer,
                answer,
                "{first}"
            );
        }
    }

    #[test]
    fn what_only_some_registers_would_get_right_is_refused() {
        let refused = |statement: &str, why: &str| {
            let text =
                format!("int a = 1, b, *p = &a;\nint main(void) {{ {statement} return 0; }}\n");
            let found = verify(&text, &["--check", "assert"]);
            found.is(Answer::Unknown);
            let line = found.run.verdict();
            assert!(line.contains(why), "{statement}: {line}");
        };
        for (statement, why) in [
            (
                r#"asm("movl $1, %0; addl %1, %0" : "=r"(b) : "r"(a));"#,
                "an input that is read behind an output without `&`",
            ),
            (
                r#"asm("movl %1, %%ebx; movl %%ebx, %0" : "=r"(b) : "r"(a));"#,
                "a register that changes and is no clobber",
            ),
            (
                r#"asm("movl %%ebx, %0" : "=r"(b));"#,
                "a register that is read and is no operand",
            ),
            (r#"asm("incl %0" : : "r"(a));"#, "an input that is written"),
            (
                r#"asm("lock; incl (%0)" : : "r"(p));"#,
                "memory that is no operand, without `memory` as a clobber",
            ),
            (r#"asm("setz %b0" : "=q"(b));"#, "a flag that has no value"),
            (
                r#"asm("testl %1, %1; setz %b0" : "=q"(b) : "r"(a));"#,
                "an output of which a part has no value",
            ),
            (
                r#"asm("movq %1, %0" : "=r"(b) : "r"(a));"#,
                "different widths",
            ),
            (
                r#"asm("lock; movl %1, %0" : "=m"(b) : "r"(a));"#,
                "`lock` before `mov`",
            ),
            (
                r#"asm("lock; incl %0" : "+r"(b));"#,
                "a locked update of a register",
            ),
            (r#"asm("1: jmp 1b" : "+r"(b));"#, "operand `1b`"),
            (
                r#"asm("cpuid" : "=a"(b) : "a"(0) : "ebx", "ecx", "edx");"#,
                "instruction `cpuid`",
            ),
            (r#"asm("nop" : "=x"(b));"#, "constraint `x`"),
            (r#"asm("movl $1, %eax");"#, "it has no operands"),
            (
                r#"asm("lock;" : "+m"(b));"#,
                "prefix `lock` without an instruction",
            ),
            (r#"asm(".long 17" : "+m"(b));"#, "directive `.long`"),
        ] {
            refused(statement, why);
        }
    }
}
