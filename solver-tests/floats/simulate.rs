//! Many executions of a circuit at once: each bit of a machine word is one.

use selvedge::circuit::{Circuit, Gate, Lit};

/// Machine words per gate.
const WORDS: usize = 4;
/// Executions at a time.
pub const LANES: usize = 64 * WORDS;

type Word = [u64; WORDS];

/// A gate with the places of its operands' values; the low bit of a place is the complement.
#[derive(Clone, Copy)]
enum Step {
    And(u32, u32),
    Xor(u32, u32),
    Ite(u32, u32, u32),
    Majority(u32, u32, u32),
}

/// The cone of some outputs, ready to run.
pub struct Simulator {
    inputs: Vec<Vec<u32>>,
    outputs: Vec<u32>,
    steps: Vec<Step>,
    /// The constant, the inputs, and the steps' results.
    values: Vec<Word>,
}

impl Simulator {
    /// `inputs` and `outputs` are words of literals, lowest bit first.
    pub fn new(circuit: &Circuit, inputs: &[Vec<Lit>], outputs: &[Lit]) -> Simulator {
        let mut needed = vec![false; circuit.len()];
        for output in outputs {
            needed[output.gate()] = true;
        }
        for gate in (0..circuit.len()).rev() {
            if needed[gate] {
                for operand in circuit.operands(Lit((gate as u32) << 1)) {
                    needed[operand.gate()] = true;
                }
            }
        }
        let mut places = vec![0u32; circuit.len()];
        let mut count = 1;
        let inputs = inputs.iter().map(|word| {
            let place = |lit: &Lit| {
                // Constant bits have no place of their own.
                if lit.is_constant() {
                    return 0;
                }
                places[lit.gate()] = count;
                count += 1;
                count - 1
            };
            word.iter().map(place).collect()
        });
        let inputs = inputs.collect();
        let mut steps = Vec::new();
        for gate in 0..circuit.len() {
            if !needed[gate] {
                continue;
            }
            let at = |lit: Lit| places[lit.gate()] << 1 | u32::from(lit.is_negative());
            let step = match circuit.gate(Lit((gate as u32) << 1)) {
                Gate::False | Gate::Input => continue,
                Gate::And(a, b) => Step::And(at(a), at(b)),
                Gate::Xor(a, b) => Step::Xor(at(a), at(b)),
                Gate::Ite(c, a, b) => Step::Ite(at(c), at(a), at(b)),
                Gate::Majority(a, b, c) => Step::Majority(at(a), at(b), at(c)),
            };
            steps.push(step);
            places[gate] = count;
            count += 1;
        }
        let place = |lit: &Lit| places[lit.gate()] << 1 | u32::from(lit.is_negative());
        Simulator {
            inputs,
            outputs: outputs.iter().map(place).collect(),
            steps,
            values: vec![[0; WORDS]; count as usize],
        }
    }

    /// The results for [`LANES`] tuples of operands.
    pub fn run(&mut self, tuples: &[[u128; 3]]) -> Vec<u128> {
        for (operand, places) in self.inputs.iter().enumerate() {
            for (bit, place) in places.iter().enumerate() {
                if *place == 0 {
                    continue;
                }
                let mut word = [0; WORDS];
                for (lane, tuple) in tuples.iter().enumerate() {
                    word[lane / 64] |= ((tuple[operand] >> bit) as u64 & 1) << (lane % 64);
                }
                self.values[*place as usize] = word;
            }
        }
        let first = self.values.len() - self.steps.len();
        for (i, step) in self.steps.iter().enumerate() {
            let get = |place: u32| -> Word {
                let mask = 0u64.wrapping_sub(u64::from(place & 1));
                self.values[(place >> 1) as usize].map(|word| word ^ mask)
            };
            let result = match *step {
                Step::And(a, b) => zip(get(a), get(b), |a, b| a & b),
                Step::Xor(a, b) => zip(get(a), get(b), |a, b| a ^ b),
                Step::Ite(c, a, b) => {
                    let (c, a, b) = (get(c), get(a), get(b));
                    zip(b, zip(c, zip(a, b, |a, b| a ^ b), |c, d| c & d), |b, d| {
                        b ^ d
                    })
                }
                Step::Majority(a, b, c) => {
                    let (a, b, c) = (get(a), get(b), get(c));
                    let either = zip(c, zip(a, b, |a, b| a | b), |c, e| c & e);
                    zip(zip(a, b, |a, b| a & b), either, |x, y| x | y)
                }
            };
            self.values[first + i] = result;
        }
        let mut results = vec![0u128; tuples.len()];
        for (bit, place) in self.outputs.iter().enumerate() {
            let mask = 0u64.wrapping_sub(u64::from(place & 1));
            let word = self.values[(place >> 1) as usize];
            for (lane, result) in results.iter_mut().enumerate() {
                let value = (word[lane / 64] ^ mask) >> (lane % 64) & 1;
                *result |= u128::from(value) << bit;
            }
        }
        results
    }
}

#[inline(always)]
fn zip(a: Word, b: Word, f: impl Fn(u64, u64) -> u64) -> Word {
    let mut result = [0; WORDS];
    for i in 0..WORDS {
        result[i] = f(a[i], b[i]);
    }
    result
}
