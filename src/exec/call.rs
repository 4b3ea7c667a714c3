//! Calls: which functions are entered, and with which arguments.

use super::operand::operand;
use super::{Call, Domain};
use crate::base::Loc;
use crate::ir::{Callee, Function, Operand, Reg, Undefined};

/// A call: direct, or through a pointer to one of several functions. The state behind it; others that stay apart from it are
/// added to `apart`.
pub(super) fn call<D: Domain>(
    domain: &mut D,
    mut state: D::State,
    dst: Option<Reg>,
    (callee, args): (&Callee, &[Operand]),
    loc: Loc,
    apart: &mut Vec<D::State>,
) -> Result<Option<D::State>, D::Stop> {
    let args: Vec<D::Value> = args.iter().map(|arg| domain.value(&state, *arg)).collect();
    let mut after = Vec::new();
    let to = |function| Call {
        function,
        args: &args,
        dst,
        loc,
    };
    match callee {
        Callee::Direct(function) => {
            enter(domain, state, to(*function), &mut after)?;
        }
        Callee::Indirect(target) => {
            let target = operand(domain, &state, *target);
            let Some(candidates) = domain.functions(&mut state, target) else {
                return Ok(None);
            };
            match candidates[..] {
                [(only, _)] => enter(domain, state, to(only), &mut after)?,
                _ => {
                    for (function, when) in candidates {
                        let mut own = state.clone();
                        D::path(&mut own).restrict(domain.terms(), when);
                        enter(domain, own, to(function), &mut after)?;
                    }
                }
            }
        }
        Callee::Extern(external) => {
            let what = format!("a call of `{}`, which has no body", external.name);
            domain.unsupported(&mut state, &what);
        }
    }
    let mut after = after.into_iter();
    let first = after.next();
    apart.extend(after);
    Ok(first)
}

/// Enters a function if the call fits it; otherwise the call is undefined.
fn enter<D: Domain>(
    domain: &mut D,
    mut state: D::State,
    call: Call<'_, D::Value>,
    after: &mut Vec<D::State>,
) -> Result<(), D::Stop> {
    if D::path(&mut state).is_dead(domain.terms()) {
        return Ok(());
    }
    let code = &domain.program().functions[call.function];
    if !code.fits(call.args.len(), call.dst.is_some()) {
        let never = domain.terms().fals();
        domain.undefined_unless(&mut state, never, Undefined::Call);
        return Ok(());
    }
    domain.enter(state, call, after)
}

/// Registers of a function that is entered: its parameters have the arguments, as wide as they are. `None` if no path goes on.
pub fn arguments<D: Domain>(
    domain: &mut D,
    state: &D::State,
    code: &Function,
    args: &[D::Value],
) -> Option<Vec<(Reg, D::Value)>>
where
    D::Value: Clone,
{
    let bits = |param: &Reg| code.regs[*param].bits;
    let pairs = code.params.iter().zip(args);
    pairs
        .map(|(param, arg)| Some((*param, domain.fit(state, arg.clone(), bits(param))?)))
        .collect()
}
