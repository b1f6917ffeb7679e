//! Chess boards as SVG.

#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use chess::{Chess, Color, Move, Position, Role, Square};

use crate::escape::escaped;
use crate::ink::Ink;

/// Side of a square, in SVG's units.
const SQUARE: f64 = 45.0;
/// Around the board, for the names of files and ranks.
const MARGIN: f64 = 18.0;
/// Follows a character that is to be drawn as text: without it some systems draw the pawn as an
/// emoji.
const TEXT_SELECTOR: char = '\u{fe0e}';
/// Height of a line of text.
const LINE: f64 = 17.0;

/// A position drawn from the mover's side, with arrows and lines of text below.
#[derive(Clone, Debug)]
pub struct Board {
    position: Chess,
    arrows: Vec<Arrow>,
    title: String,
    lines: Vec<String>,
    /// From where to where the move before went.
    last_move: Option<(Square, Square)>,
}

/// A move drawn on a board.
#[derive(Clone, Debug)]
pub struct Arrow {
    /// The move.
    pub played: Move,
    /// A colour of SVG.
    pub colour: &'static str,
    /// What is written at its end; may be empty.
    pub label: String,
}

impl Board {
    /// The board of `position`, under `title`.
    pub fn new(position: Chess, title: impl Into<String>) -> Board {
        let (arrows, lines) = (Vec::new(), Vec::new());
        Board { position, arrows, title: title.into(), lines, last_move: None }
    }

    /// Under another title.
    #[must_use]
    pub fn titled(mut self, title: impl Into<String>) -> Board {
        self.title = title.into();
        self
    }

    /// Marks from where to where the move before went; `uci` that is no move marks nothing.
    #[must_use]
    pub fn with_last_move(mut self, uci: &str) -> Board {
        let square = |text: Option<&str>| text?.parse::<Square>().ok();
        self.last_move = square(uci.get(..2)).zip(square(uci.get(2..4)));
        self
    }

    /// Draws a move.
    #[must_use]
    pub fn with_arrow(mut self, arrow: Arrow) -> Board {
        self.arrows.push(arrow);
        self
    }

    /// Writes a line below the board, in a font of one width.
    #[must_use]
    pub fn with_line(mut self, line: impl Into<String>) -> Board {
        self.lines.push(line.into());
        self
    }

    /// The picture: a whole SVG document that needs no other file. Pieces are characters of
    /// Unicode.
    pub fn svg(&self) -> String {
        let widest = self.lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
        let board = 8.0 * SQUARE + 2.0 * MARGIN;
        // A character of the font is 0.6 of its size wide.
        let width = board.max(widest as f64 * 12.0 * 0.602 + 2.0 * MARGIN);
        let lines = self.lines.len() as f64;
        let height = LINE + board + if lines > 0.0 { LINE * lines + MARGIN } else { 0.0 };
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\" font-family=\"sans-serif\" fill=\"{ink}\">\n\
             <title>{title}</title>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"{paper}\"/>\n\
             <text x=\"{MARGIN}\" y=\"14\" font-size=\"13\" font-weight=\"bold\">{title}</text>\n",
            title = escaped(&self.title),
            ink = Ink::Text.hex(),
            paper = Ink::Paper.hex()
        );
        self.draw(&mut svg).expect("a string");
        let top = LINE + board + 12.0;
        for (number, line) in self.lines.iter().enumerate() {
            let y = top + LINE * number as f64;
            writeln!(
                svg,
                "<text x=\"{MARGIN}\" y=\"{y:.0}\" font-size=\"12\" font-family=\"monospace\" \
                 xml:space=\"preserve\">{}</text>",
                escaped(line)
            )
            .expect("a string");
        }
        svg + "</svg>\n"
    }

    fn draw(&self, svg: &mut String) -> std::fmt::Result {
        for square in Square::ALL {
            let (x, y) = self.corner(square);
            let moved = self.last_move.is_some_and(|(from, to)| [from, to].contains(&square));
            let fill = match (square.is_light(), moved) {
                (true, false) => "#f0d9b5",
                (false, false) => "#b58863",
                (true, true) => "#e3dc8a",
                (false, true) => "#bdad4f",
            };
            writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{fill}\"/>"
            )?;
        }
        for number in 0..8 {
            let mover = self.position.turn();
            let shown = |place: u32| mover.fold_wb(place, 7 - place);
            let file = char::from(b'a' + shown(number) as u8);
            let rank = 8 - mover.fold_wb(number, 7 - number);
            let along = MARGIN + SQUARE * (f64::from(number) + 0.5);
            writeln!(
                svg,
                "<text x=\"{along}\" y=\"{:.0}\" font-size=\"11\" text-anchor=\"middle\">{file}</text>\n\
                 <text x=\"8\" y=\"{:.1}\" font-size=\"11\" text-anchor=\"middle\">{rank}</text>",
                LINE + MARGIN + 8.0 * SQUARE + 13.0,
                LINE + along + 4.0
            )?;
        }
        for (square, piece) in self.position.board() {
            let (x, y) = self.middle(square);
            writeln!(
                svg,
                "<text x=\"{x}\" y=\"{:.1}\" font-size=\"38\" text-anchor=\"middle\" \
                 fill=\"{}\" stroke=\"#000\" stroke-width=\"0.8\">{}{TEXT_SELECTOR}</text>",
                y + 13.5,
                piece.color.fold_wb("#fff", "#000"),
                character(piece.role)
            )?;
        }
        self.arrows.iter().try_for_each(|arrow| self.draw_arrow(arrow, svg))
    }

    fn draw_arrow(&self, arrow: &Arrow, svg: &mut String) -> std::fmt::Result {
        let Some(from) = arrow.played.from() else { return Ok(()) };
        let to = match arrow.played {
            // A castling move goes to the rook's square; people look for the king's.
            Move::Castle { king, rook } => {
                let file = if rook > king { shakmaty::File::G } else { shakmaty::File::C };
                Square::from_coords(file, king.rank())
            }
            other => other.to(),
        };
        let ((x1, y1), (x2, y2)) = (self.middle(from), self.middle(to));
        let length = (x2 - x1).hypot(y2 - y1);
        let (dx, dy) = ((x2 - x1) / length, (y2 - y1) / length);
        // The head is a triangle whose tip is the middle of the square.
        let (hx, hy) = (x2 - 13.0 * dx, y2 - 13.0 * dy);
        let Arrow { colour, label, .. } = arrow;
        writeln!(
            svg,
            "<g stroke=\"{colour}\" fill=\"{colour}\" opacity=\"0.75\">\
             <line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{hx:.1}\" y2=\"{hy:.1}\" stroke-width=\"6\"/>\
             <polygon stroke=\"none\" points=\"{x2:.1},{y2:.1} {:.1},{:.1} {:.1},{:.1}\"/></g>",
            hx - 8.0 * dy,
            hy + 8.0 * dx,
            hx + 8.0 * dy,
            hy - 8.0 * dx
        )?;
        if label.is_empty() {
            return Ok(());
        }
        let (x, y) = (f64::midpoint(x1, x2), f64::midpoint(y1, y2));
        let width = 7.0 * label.chars().count() as f64 + 6.0;
        writeln!(
            svg,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"15\" rx=\"3\" fill=\"#fff\" \
             opacity=\"0.9\"/><text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"11\" text-anchor=\"middle\" fill=\"#000\">\
             {}</text>",
            x - width / 2.0,
            y - 8.0,
            y + 3.5,
            escaped(label)
        )
    }

    /// The upper left corner of a square.
    fn corner(&self, square: Square) -> (f64, f64) {
        let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
        let (column, row) = match self.position.turn() {
            Color::White => (file, 7 - rank),
            Color::Black => (7 - file, rank),
        };
        (MARGIN + SQUARE * f64::from(column), LINE + MARGIN + SQUARE * f64::from(row))
    }

    fn middle(&self, square: Square) -> (f64, f64) {
        let (x, y) = self.corner(square);
        (x + SQUARE / 2.0, y + SQUARE / 2.0)
    }
}

/// The filled character of a piece, drawn in the side's colour.
fn character(role: Role) -> char {
    match role {
        Role::Pawn => '\u{265f}',
        Role::Knight => '\u{265e}',
        Role::Bishop => '\u{265d}',
        Role::Rook => '\u{265c}',
        Role::Queen => '\u{265b}',
        Role::King => '\u{265a}',
    }
}
