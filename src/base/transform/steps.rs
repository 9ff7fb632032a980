//! The steps of the transform, forward and backward.
#![forbid(unsafe_code)]

use super::complex::{Complex, LANES, Lanes, each, turn};
use crate::base::growth::Gather;
use std::f64::consts::PI;
use std::sync::LazyLock;

// ---- angles ------------------------------------------------------------------------------------

/// Number of blocks whose factors come from one table of angles.
const ROOTS: usize = 1 << 10;

/// Returns a number less than [`ROOTS`] with its bits mirrored behind the binary point: 1 is a half, 2 a quarter, 3
/// three quarters.
fn mirrored(block: usize) -> f64 {
    (block as u64).reverse_bits() as f64 / 2f64.powi(64)
}

/// The numbers at a quarter of the circle times [`mirrored`].
static QUARTERS: LazyLock<Vec<(f64, f64)>> = LazyLock::new(|| {
    let root = |block| libm::sincos(PI / 2.0 * mirrored(block));
    (0..ROOTS)
        .map(|block| {
            let (im, re) = root(block);
            (re, im)
        })
        .collect_bounded()
});

/// The first factors of a transform: in each lane `z^m` is the number at the angle.
#[derive(Copy, Clone)]
struct Factors {
    /// The first block of the table that was made.
    from: usize,
    /// Multipliers of the numbers of [`QUARTERS`] that give `w` and its square.
    single: Complex,
    double: Complex,
}

impl Factors {
    /// Returns the factors of blocks from `from` on, `depth` halvings below the lanes.
    fn new(angles: Lanes, depth: usize, from: usize) -> Factors {
        let scale = 1.0 / (1u64 << depth) as f64;
        let quarter = PI / 2.0 * mirrored(from);
        Factors {
            from,
            single: Complex::at(angles.map(|angle| angle / 4.0 * scale + quarter)),
            double: Complex::at(angles.map(|angle| angle / 2.0 * scale + 2.0 * quarter)),
        }
    }
}

/// Constants for a polynomial modulo `z^n` minus the number at an angle.
pub(super) struct Root {
    angles: Lanes,
    /// The number at the angle, and its square.
    whole: Complex,
    square: Complex,
    /// The fourth root of the number at the angle, and the square of that root.
    single: Complex,
    double: Complex,
    /// The factors of the first blocks, by depth.
    factors: Vec<Factors>,
}

/// A bound for the halvings of the longest transform.
const DEPTHS: usize = 24;

/// Constants for `i`, and for the three parts of a polynomial modulo `z^n - i` that is split in three.
static ANGLES: LazyLock<[Root; 4]> = LazyLock::new(|| {
    [PI / 2.0, PI / 6.0, PI * 5.0 / 6.0, PI * 1.5].map(|angle| {
        let angles = [0.0, PI, PI / 2.0, PI * 1.5].map(|turn| angle / 4.0 + turn);
        let at = |angle: f64| Complex::at([angle; LANES]);
        Root {
            angles,
            whole: at(angle),
            square: at(2.0 * angle),
            single: at(angle / 4.0),
            double: at(angle / 2.0),
            factors: (0..DEPTHS)
                .map(|depth| Factors::new(angles, depth, 0))
                .collect_bounded(),
        }
    })
});

/// A transform in lanes.
pub(super) struct Plan {
    root: &'static Root,
    /// The factors of later blocks, by depth.
    later: Vec<Factors>,
}

impl Plan {
    /// Returns the plan of a transform, or the plans of its three parts.
    pub(super) fn of(three: bool) -> Vec<Plan> {
        let roots = if three { &ANGLES[1..] } else { &ANGLES[..1] };
        let plan = |root| Plan {
            root,
            later: Vec::new(),
        };
        roots.iter().map(plan).collect_bounded()
    }

    #[cold]
    #[inline(never)]
    fn later(&mut self, depth: usize, from: usize) -> Factors {
        if self.later.is_empty() {
            self.later.clone_from(&self.root.factors);
        }
        if self.later[depth].from != from {
            self.later[depth] = Factors::new(self.root.angles, depth, from);
        }
        self.later[depth]
    }

    /// Returns `w` and its square for a block at a depth.
    #[inline(always)]
    fn factors<const FUSED: bool>(
        &mut self,
        quarters: &[(f64, f64)],
        depth: usize,
        block: usize,
    ) -> (Complex, Complex) {
        let from = block & !(ROOTS - 1);
        let factors = if from == 0 {
            self.root.factors[depth]
        } else {
            self.later(depth, from)
        };
        let within = block & (ROOTS - 1);
        let (re, im) = quarters[within];
        let (re2, im2) = quarters[within >> 1];
        let (re2, im2) = if block & 1 == 1 {
            (-im2, re2)
        } else {
            (re2, im2)
        };
        (
            factors.single.times::<FUSED>(Complex::all(re, im)),
            factors.double.times::<FUSED>(Complex::all(re2, im2)),
        )
    }
}

/// Number of vectors up to which a block is finished before the next one begins.
const NEAR: usize = 1 << 8;

/// Does a step of two halvings at a block.
#[inline(always)]
fn forward_step<const FUSED: bool>(block: &mut [Complex], w: Complex, w2: Complex) {
    let m = block.len() / 4;
    let (a, b) = block.split_at_mut(2 * m);
    let (a0, a1) = a.split_at_mut(m);
    let (a2, a3) = b.split_at_mut(m);
    for (((a0, a1), a2), a3) in a0.iter_mut().zip(a1).zip(a2).zip(a3) {
        let (t2, t3) = (a2.times::<FUSED>(w2), a3.times::<FUSED>(w2));
        let (p, r) = (a0.plus(t2), a0.minus(t2));
        let (q, s) = (a1.plus(t3), a1.minus(t3));
        let (q, s) = (q.times::<FUSED>(w), s.times::<FUSED>(w));
        (*a0, *a1) = (p.plus(q), p.minus(q));
        (*a2, *a3) = (r.plus_i(s), r.minus_i(s));
    }
}

#[inline(always)]
fn backward_step<const FUSED: bool>(block: &mut [Complex], w: Complex, w2: Complex) {
    let m = block.len() / 4;
    let (a, b) = block.split_at_mut(2 * m);
    let (a0, a1) = a.split_at_mut(m);
    let (a2, a3) = b.split_at_mut(m);
    for (((a0, a1), a2), a3) in a0.iter_mut().zip(a1).zip(a2).zip(a3) {
        let (p, q) = (a0.plus(*a1), a0.minus(*a1).over::<FUSED>(w));
        let (r, s) = (a2.plus(*a3), a3.minus(*a2));
        // Divide by `i w`.
        let s = Complex {
            re: each(|n| -s.im[n]),
            im: s.re,
        }
        .over::<FUSED>(w);
        (*a0, *a2) = (p.plus(r), p.minus(r).over::<FUSED>(w2));
        (*a1, *a3) = (q.plus(s), q.minus(s).over::<FUSED>(w2));
    }
}

#[inline(always)]
pub(super) fn forward<const FUSED: bool>(data: &mut [Complex], plan: &mut Plan) {
    let quarters = &**QUARTERS;
    let n = data.len();
    let mut depth = 0;
    if n.trailing_zeros() % 2 == 1 {
        // One halving.
        let w = plan.root.factors[0].double;
        let (a, b) = data.split_at_mut(n / 2);
        for (a, b) in a.iter_mut().zip(b) {
            let t = b.times::<FUSED>(w);
            (*a, *b) = (a.plus(t), a.minus(t));
        }
        depth = 1;
    }
    // Far steps go over all data, near ones finish a block.
    while n >> depth > NEAR {
        for (nth, block) in data.chunks_exact_mut(n >> depth).enumerate() {
            let (w, w2) = plan.factors::<FUSED>(quarters, depth, nth);
            forward_step::<FUSED>(block, w, w2);
        }
        depth += 2;
    }
    for (piece, data) in data.chunks_exact_mut(n >> depth).enumerate() {
        let mut near = depth;
        while n >> near > 1 {
            let size = n >> near;
            let first = piece << (near - depth);
            for (nth, block) in data.chunks_exact_mut(size).enumerate() {
                let (w, w2) = plan.factors::<FUSED>(quarters, near, first + nth);
                forward_step::<FUSED>(block, w, w2);
            }
            near += 2;
        }
    }
}

#[inline(always)]
pub(super) fn backward<const FUSED: bool>(data: &mut [Complex], plan: &mut Plan) {
    let quarters = &**QUARTERS;
    let n = data.len();
    let first_depth = n.trailing_zeros() as usize % 2;
    let mut depth = first_depth;
    while n >> depth > NEAR {
        depth += 2;
    }
    for (piece, data) in data.chunks_exact_mut(n >> depth).enumerate() {
        let mut near = n.trailing_zeros() as usize;
        while near > depth {
            near -= 2;
            let size = n >> near;
            let first = piece << (near - depth);
            for (nth, block) in data.chunks_exact_mut(size).enumerate() {
                let (w, w2) = plan.factors::<FUSED>(quarters, near, first + nth);
                backward_step::<FUSED>(block, w, w2);
            }
        }
    }
    while depth > first_depth {
        depth -= 2;
        for (nth, block) in data.chunks_exact_mut(n >> depth).enumerate() {
            let (w, w2) = plan.factors::<FUSED>(quarters, depth, nth);
            backward_step::<FUSED>(block, w, w2);
        }
    }
    if first_depth == 1 {
        let w = plan.root.factors[0].double;
        let (a, b) = data.split_at_mut(n / 2);
        for (a, b) in a.iter_mut().zip(b) {
            (*a, *b) = (a.plus(*b), a.minus(*b).over::<FUSED>(w));
        }
    }
}

/// Does the first two halvings of a polynomial modulo `z^n` minus the number at `angle`, to lanes.
#[inline(always)]
pub(super) fn to_lanes<const FUSED: bool>(to: &mut [Complex], from: &[Complex], plan: &Plan) {
    let (w, w2) = (plan.root.single, plan.root.double);
    let m = from.len() / 4;
    let (a, b) = from.split_at(2 * m);
    let ((a0, a1), (a2, a3)) = (a.split_at(m), b.split_at(m));
    let (to, _) = to.as_chunks_mut::<LANES>();
    for ((((to, a0), a1), a2), a3) in to.iter_mut().zip(a0).zip(a1).zip(a2).zip(a3) {
        let mut four = [*a0, *a1, *a2, *a3];
        forward_step::<FUSED>(&mut four, w, w2);
        *to = turn(four);
    }
}

#[inline(always)]
pub(super) fn from_lanes<const FUSED: bool>(to: &mut [Complex], from: &[Complex], plan: &Plan) {
    let (w, w2) = (plan.root.single, plan.root.double);
    let m = to.len() / 4;
    let (a, b) = to.split_at_mut(2 * m);
    let ((a0, a1), (a2, a3)) = (a.split_at_mut(m), b.split_at_mut(m));
    let (from, _) = from.as_chunks::<LANES>();
    for ((((from, a0), a1), a2), a3) in from.iter().zip(a0).zip(a1).zip(a2).zip(a3) {
        let mut four = turn(*from);
        backward_step::<FUSED>(&mut four, w, w2);
        [*a0, *a1, *a2, *a3] = four;
    }
}

// ---- thirds -------------------------------------------------------------------------------------

/// Splits a polynomial modulo `z^(3m) - i` into three, in place.
#[inline(always)]
pub(super) fn split_thirds<const FUSED: bool>(data: &mut [Complex]) {
    let [_, roots @ ..] = &*ANGLES;
    let w = [roots[0].whole, roots[1].whole, roots[2].whole];
    let w2 = [roots[0].square, roots[1].square, roots[2].square];
    let m = data.len() / 3;
    let (a, rest) = data.split_at_mut(m);
    let (b, c) = rest.split_at_mut(m);
    for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
        let (x, y, z) = (*a, *b, *c);
        let part = |n: usize| x.plus(y.times::<FUSED>(w[n])).plus(z.times::<FUSED>(w2[n]));
        (*a, *b, *c) = (part(0), part(1), part(2));
    }
}

#[inline(always)]
pub(super) fn join_thirds<const FUSED: bool>(data: &mut [Complex]) {
    let [_, roots @ ..] = &*ANGLES;
    let w = [roots[0].whole, roots[1].whole, roots[2].whole];
    let w2 = [roots[0].square, roots[1].square, roots[2].square];
    let m = data.len() / 3;
    let (a, rest) = data.split_at_mut(m);
    let (b, c) = rest.split_at_mut(m);
    for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
        let (x, y, z) = (*a, *b, *c);
        *a = x.plus(y).plus(z);
        *b = x
            .over::<FUSED>(w[0])
            .plus(y.over::<FUSED>(w[1]))
            .plus(z.over::<FUSED>(w[2]));
        *c = x
            .over::<FUSED>(w2[0])
            .plus(y.over::<FUSED>(w2[1]))
            .plus(z.over::<FUSED>(w2[2]));
    }
}
