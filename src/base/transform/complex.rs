//! Complex numbers in lanes, and operations on them.
#![forbid(unsafe_code)]

/// Number of complex numbers that are computed at once.
pub(super) const LANES: usize = 4;
pub(super) type Lanes = [f64; LANES];

/// Complex numbers.
#[derive(Copy, Clone)]
pub(super) struct Complex {
    pub(super) re: Lanes,
    pub(super) im: Lanes,
}

pub(super) const ZERO: Complex = Complex {
    re: [0.0; LANES],
    im: [0.0; LANES],
};

#[inline(always)]
pub(super) fn each(f: impl Fn(usize) -> f64) -> Lanes {
    [f(0), f(1), f(2), f(3)]
}

impl Complex {
    #[inline(always)]
    pub(super) fn plus(self, other: Complex) -> Complex {
        Complex {
            re: each(|n| self.re[n] + other.re[n]),
            im: each(|n| self.im[n] + other.im[n]),
        }
    }

    #[inline(always)]
    pub(super) fn minus(self, other: Complex) -> Complex {
        Complex {
            re: each(|n| self.re[n] - other.re[n]),
            im: each(|n| self.im[n] - other.im[n]),
        }
    }

    /// Returns the sum of this and `i` times another.
    #[inline(always)]
    pub(super) fn plus_i(self, other: Complex) -> Complex {
        Complex {
            re: each(|n| self.re[n] - other.im[n]),
            im: each(|n| self.im[n] + other.re[n]),
        }
    }

    #[inline(always)]
    pub(super) fn minus_i(self, other: Complex) -> Complex {
        Complex {
            re: each(|n| self.re[n] + other.im[n]),
            im: each(|n| self.im[n] - other.re[n]),
        }
    }

    #[inline(always)]
    pub(super) fn times<const FUSED: bool>(self, by: Complex) -> Complex {
        if FUSED {
            Complex {
                re: each(|n| self.re[n].mul_add(by.re[n], -(self.im[n] * by.im[n]))),
                im: each(|n| self.re[n].mul_add(by.im[n], self.im[n] * by.re[n])),
            }
        } else {
            Complex {
                re: each(|n| self.re[n] * by.re[n] - self.im[n] * by.im[n]),
                im: each(|n| self.re[n] * by.im[n] + self.im[n] * by.re[n]),
            }
        }
    }

    /// Returns the product of this and the conjugate of another.
    #[inline(always)]
    pub(super) fn over<const FUSED: bool>(self, by: Complex) -> Complex {
        if FUSED {
            Complex {
                re: each(|n| self.re[n].mul_add(by.re[n], self.im[n] * by.im[n])),
                im: each(|n| self.im[n].mul_add(by.re[n], -(self.re[n] * by.im[n]))),
            }
        } else {
            Complex {
                re: each(|n| self.re[n] * by.re[n] + self.im[n] * by.im[n]),
                im: each(|n| self.im[n] * by.re[n] - self.re[n] * by.im[n]),
            }
        }
    }

    pub(super) fn all(re: f64, im: f64) -> Complex {
        Complex {
            re: [re; LANES],
            im: [im; LANES],
        }
    }

    /// Returns the numbers of length 1 at these angles.
    pub(super) fn at(angles: Lanes) -> Complex {
        let parts = angles.map(libm::sincos);
        Complex {
            re: parts.map(|(_, re)| re),
            im: parts.map(|(im, _)| im),
        }
    }
}

#[inline(always)]
pub(super) fn turned(x: [Lanes; LANES]) -> [Lanes; LANES] {
    let lane = |n: usize| [x[0][n], x[1][n], x[2][n], x[3][n]];
    [lane(0), lane(1), lane(2), lane(3)]
}

/// Transposes four vectors: four numbers at each of four consecutive places become four lanes.
#[inline(always)]
pub(super) fn turn(x: [Complex; LANES]) -> [Complex; LANES] {
    let (re, im) = (
        turned([x[0].re, x[1].re, x[2].re, x[3].re]),
        turned([x[0].im, x[1].im, x[2].im, x[3].im]),
    );
    [
        Complex {
            re: re[0],
            im: im[0],
        },
        Complex {
            re: re[1],
            im: im[1],
        },
        Complex {
            re: re[2],
            im: im[2],
        },
        Complex {
            re: re[3],
            im: im[3],
        },
    ]
}
