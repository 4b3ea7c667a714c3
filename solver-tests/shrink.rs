//! Smaller programs that still show the same error (delta debugging: Zeller and Hildebrandt 2002, on trees).

use crate::program::Program;

/// Takes parts away as long as `still_wrong` holds of what remains; nothing more can go alone afterwards.
pub fn shrink(mut program: Program, mut still_wrong: impl FnMut(&Program) -> bool) -> Program {
    loop {
        let smaller = program
            .reductions()
            .into_iter()
            .find(|smaller| still_wrong(smaller));
        match smaller {
            Some(smaller) => program = smaller,
            None => return program,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::generate;

    #[test]
    fn what_is_left_is_what_matters() {
        let program = generate(3);
        let wanted = "return 0;";
        let small = shrink(program, |smaller| smaller.render().contains(wanted));
        let statements = small
            .functions
            .iter()
            .map(|function| function.body.len())
            .sum::<usize>();
        assert!(small.render().contains(wanted) && statements == 1 && small.globals.is_empty());
    }
}
