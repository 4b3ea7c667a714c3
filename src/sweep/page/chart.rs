//! Charts: lines over numbered places, with times in seconds on a logarithmic scale.

/// A chart, laid out in units of the drawing.
pub struct Chart {
    pub width: f64,
    pub height: f64,
    /// Edges of the plane in which lines are.
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
    pub across: String,
    pub x: Vec<Tick>,
    pub y: Vec<Tick>,
    pub lines: Vec<Line>,
}

/// A mark on an axis.
pub struct Tick {
    pub at: f64,
    pub label: String,
}

/// A line with its place in the legend.
pub struct Line {
    pub name: String,
    pub color: usize,
    pub path: String,
    pub dots: Vec<Dot>,
    pub key: f64,
}

/// A point of a line.
pub struct Dot {
    pub x: f64,
    pub y: f64,
    pub title: String,
    pub is_open: bool,
}

/// Values to be drawn as a line.
pub struct Series {
    pub name: String,
    pub points: Vec<Mark>,
}

/// A value: the number of a place, and seconds.
pub struct Mark {
    pub x: f64,
    pub y: f64,
    pub title: String,
    /// It is no answer.
    pub is_open: bool,
}

const COLORS: usize = 8;
const WIDTH: f64 = 760.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 480.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 236.0;
const KEY_HEIGHT: f64 = 16.0;
/// Labels across that there is room for.
const MOST_LABELS: usize = 12;

/// The chart of lines; `None` if there are none.
pub fn chart(across: &str, labels: Vec<String>, all: Vec<Series>) -> Option<Chart> {
    let values = || all.iter().flat_map(|series| &series.points);
    let logarithms = || values().map(|mark| mark.y.log10());
    let low = logarithms().reduce(f64::min)?.floor();
    let high = logarithms().reduce(f64::max)?.ceil().max(low + 1.0);
    let last = (labels.len().max(2) - 1) as f64;
    let x_of = |x: f64| LEFT + (RIGHT - LEFT) * x / last;
    let y_of = |y: f64| BOTTOM - (BOTTOM - TOP) * (y.log10() - low) / (high - low);
    let every = labels.len().div_ceil(MOST_LABELS).max(1);
    let x = labels.into_iter().enumerate().step_by(every);
    let x = x.map(|(number, label)| Tick {
        at: rounded(x_of(number as f64)),
        label,
    });
    let y = (low as i32..=high as i32).map(|power| Tick {
        at: rounded(y_of(10f64.powi(power))),
        label: match power {
            0.. => format!("{} s", 10u64.pow(power.unsigned_abs())),
            _ => format!("{:.*} s", power.unsigned_abs() as usize, 10f64.powi(power)),
        },
    });
    let x: Vec<Tick> = x.collect();
    let y: Vec<Tick> = y.collect();
    let keys = all.len() as f64 * KEY_HEIGHT + TOP;
    let lines = all.into_iter().enumerate().map(|(number, series)| {
        let dots = series.points.into_iter().map(|mark| Dot {
            x: rounded(x_of(mark.x)),
            y: rounded(y_of(mark.y)),
            title: mark.title,
            is_open: mark.is_open,
        });
        let dots: Vec<Dot> = dots.collect();
        let path: Vec<String> = dots
            .iter()
            .map(|dot| format!("{},{}", dot.x, dot.y))
            .collect();
        Line {
            name: series.name,
            color: number % COLORS,
            path: path.join(" "),
            dots,
            key: TOP + KEY_HEIGHT * (number as f64 + 0.5),
        }
    });
    Some(Chart {
        width: WIDTH,
        height: (BOTTOM + 40.0).max(keys + 8.0),
        left: LEFT,
        right: RIGHT,
        top: TOP,
        bottom: BOTTOM,
        across: across.to_string(),
        x,
        y,
        lines: lines.collect(),
    })
}

/// To a tenth of a unit, which nobody sees.
fn rounded(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
