//! Diagrams as data, and their drawing.

use plotters::coord::Shift;
use plotters::prelude::{
    Cartesian2d, ChartBuilder, ChartContext, Circle, DrawingArea, DrawingAreaErrorKind,
    IntoDrawingArea as _, PathElement, Polygon, Rectangle, SVGBackend, Text,
};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color as _, FontStyle, IntoFont as _, IntoTextStyle as _, ShapeStyle};

use super::axis::Axis;
use super::legend::{self, LegendEntry};
use crate::escape::escaped;
use crate::ink::{self, Ink, Pen};

/// The plotting library places everything on whole pixels; pictures are drawn so much larger and
/// shown at their size.
pub(crate) const SCALE: i32 = 4;

/// What cannot go wrong with a picture in memory but for the library's own faults.
pub(crate) type SvgError = DrawingAreaErrorKind<std::io::Error>;

type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Axis, Axis>>;

/// A diagram.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Panel {
    pub(crate) title: String,
    pub(crate) x: Axis,
    pub(crate) y: Axis,
    pub(crate) marks: Vec<Mark>,
    /// Width and height without a legend, in pixels of a page.
    pub(crate) size: (u32, u32),
}

/// What is drawn in a diagram, in the units of its axes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mark {
    /// A curve.
    Line { points: Vec<(f64, f64)>, pen: Pen },
    /// The room between two curves: place, below, above.
    Band { points: Vec<(f64, f64, f64)>, ink: Ink },
    /// A point with what it may be: filled, or hollow where its pen is dashed.
    Dot { at: (f64, f64), across: Option<(f64, f64)>, along: Option<(f64, f64)>, pen: Pen },
    /// A bar from 0 up, or down.
    Bar { from: f64, to: f64, height: f64, interval: Option<(f64, f64)>, ink: Ink },
    /// A line across at a height.
    Rule { height: f64, pen: Pen },
    /// Words in the middle above a place.
    Note { at: (f64, f64), text: String },
}

impl Panel {
    /// Of usual size.
    pub(crate) fn new(title: impl Into<String>, x: Axis, y: Axis, marks: Vec<Mark>) -> Panel {
        Panel { title: title.into(), x, y, marks, size: (440, 300) }
    }

    /// Of another size.
    #[must_use]
    pub(crate) fn sized(self, width: u32, height: u32) -> Panel {
        Panel { size: (width, height), ..self }
    }

    /// A whole SVG document, with a legend below the diagram.
    pub(crate) fn svg(&self, legend: &[LegendEntry]) -> String {
        let mut svg = String::new();
        let (width, height) = self.size;
        let height = height + legend::height(legend, width);
        self.draw(&mut svg, (width, height), legend).expect("drawn in memory");
        self.finished(svg, (width, height))
    }

    fn draw(
        &self,
        svg: &mut String,
        (width, height): (u32, u32),
        legend: &[LegendEntry],
    ) -> Result<(), SvgError> {
        let scale = SCALE as u32;
        let root =
            SVGBackend::with_string(svg, (width * scale, height * scale)).into_drawing_area();
        root.fill(&Ink::Paper.rgb())?;
        let (diagram, below) = root.split_vertically(self.size.1 * scale);
        let diagram = self.draw_title(&diagram)?;
        // Room for the widest label of the axis.
        let widest = self.y.ticks.iter().map(|(_, label)| label.chars().count()).max().unwrap_or(1);
        let room = 32 + 8 * widest as u32;
        let mut chart = ChartBuilder::on(&diagram)
            .margin_right(16 * scale)
            .margin_top(6 * scale)
            .margin_left(4 * scale)
            .margin_bottom(4 * scale)
            .x_label_area_size(44 * scale)
            .y_label_area_size(room * scale)
            .build_cartesian_2d(self.x.clone(), self.y.clone())?;
        self.draw_axes(&mut chart)?;
        for mark in &self.marks {
            self.draw_mark(&chart, mark)?;
        }
        if !legend.is_empty() {
            legend::draw(legend, &below, width)?;
        }
        root.present()
    }

    fn draw_title<'a>(
        &self,
        area: &DrawingArea<SVGBackend<'a>, Shift>,
    ) -> Result<DrawingArea<SVGBackend<'a>, Shift>, SvgError> {
        if self.title.is_empty() {
            return Ok(area.clone());
        }
        let (head, rest) = area.split_vertically(24 * SCALE);
        let font = ("sans-serif", 18 * SCALE).into_font().style(FontStyle::Bold);
        let ink = Ink::Text.rgb();
        let style = font.into_text_style(area).color(&ink);
        head.draw(&Text::new(self.title.clone(), (10 * SCALE, 6 * SCALE), style))?;
        Ok(rest)
    }

    fn draw_axes(&self, chart: &mut Chart<'_, '_>) -> Result<(), SvgError> {
        let font = |size: i32| ("sans-serif", size * SCALE).into_font();
        chart
            .configure_mesh()
            .x_desc(self.x.label.clone())
            .y_desc(self.y.label.clone())
            .label_style(font(16).color(&Ink::Text.rgb()))
            .axis_desc_style(font(16).color(&Ink::Muted.rgb()))
            .axis_style(ShapeStyle {
                color: Ink::Muted.rgb().to_rgba(),
                filled: false,
                stroke_width: 4,
            })
            .bold_line_style(ShapeStyle {
                color: Ink::Grid.rgb().to_rgba(),
                filled: false,
                stroke_width: 3,
            })
            .light_line_style(Ink::Grid.rgb().mix(0.0))
            .set_all_tick_mark_size(4 * SCALE)
            .draw()
    }

    fn draw_mark(&self, chart: &Chart<'_, '_>, mark: &Mark) -> Result<(), SvgError> {
        let area = chart.plotting_area();
        let at = |x: f64, y: f64| (self.x.place(x), self.y.place(y));
        let path = |points: Vec<(f64, f64)>, style: ShapeStyle| {
            area.draw(&PathElement::new(points, style))
        };
        match mark {
            Mark::Line { points, pen } => {
                let points = points.iter().map(|&(x, y)| at(x, y)).collect();
                path(points, stroke(*pen, 2.0))
            }
            Mark::Band { points, ink } => {
                let above = points.iter().map(|&(x, _, high)| at(x, high));
                let below = points.iter().rev().map(|&(x, low, _)| at(x, low));
                let outline: Vec<(f64, f64)> = above.chain(below).collect();
                area.draw(&Polygon::new(outline, ink.rgb().mix(0.18)))
            }
            Mark::Dot { at: (x, y), across, along, pen } => {
                let thin = stroke(Pen::solid(pen.ink), 1.5);
                if let Some((low, high)) = across {
                    path(vec![at(*x, *low), at(*x, *high)], thin)?;
                }
                if let Some((low, high)) = along {
                    path(vec![at(*low, *y), at(*high, *y)], thin)?;
                }
                for style in hollow(*pen) {
                    area.draw(&Circle::new(at(*x, *y), 4 * SCALE, style))?;
                }
                Ok(())
            }
            Mark::Bar { from, to, height, interval, ink } => {
                area.draw(&Rectangle::new([at(*from, 0.0), at(*to, *height)], ink.rgb().filled()))?;
                let Some((low, high)) = interval else { return Ok(()) };
                let middle = f64::midpoint(*from, *to);
                path(vec![at(middle, *low), at(middle, *high)], stroke(Pen::solid(Ink::Text), 1.5))
            }
            Mark::Rule { height, pen } => path(
                vec![(self.x.low, self.y.place(*height)), (self.x.high, self.y.place(*height))],
                stroke(*pen, 1.5),
            ),
            Mark::Note { at: (x, y), text } => {
                let font = ("sans-serif", 14 * SCALE).into_font();
                let ink = Ink::Muted.rgb();
                let style = font
                    .into_text_style(area)
                    .color(&ink)
                    .pos(Pos::new(HPos::Center, VPos::Bottom));
                area.draw(&Text::new(text.clone(), at(*x, *y), style))
            }
        }
    }

    /// The library's document with a name for readers who cannot see it, dashes, and its true size.
    fn finished(&self, svg: String, (width, height): (u32, u32)) -> String {
        let scale = SCALE as u32;
        let head = format!("<svg width=\"{}\" height=\"{}\"", width * scale, height * scale);
        let name = if self.title.is_empty() { &self.y.label } else { &self.title };
        let named = format!(
            "<svg role=\"img\" aria-label=\"{}\" width=\"{width}\" height=\"{height}\"",
            escaped(name)
        );
        let svg = svg.replacen(&head, &named, 1);
        let svg = ink::dashes(svg, "22 14");
        svg.replace("<polyline ", "<polyline stroke-linejoin=\"round\" ")
            .replace(" opacity=\"1\"", "")
            .replace("font-family=\"sans-serif\"", "font-family=\"system-ui, sans-serif\"")
    }
}

/// A line of a pen, `width` pixels of a page wide.
pub(crate) fn stroke(pen: Pen, width: f64) -> ShapeStyle {
    ShapeStyle {
        color: pen.rgb().to_rgba(),
        filled: false,
        stroke_width: (width * f64::from(SCALE)) as u32,
    }
}

/// How a dot is drawn: filled, or where its pen is dashed as a ring.
pub(crate) fn hollow(pen: Pen) -> Vec<ShapeStyle> {
    if pen.dashed {
        vec![Ink::Paper.rgb().filled(), stroke(Pen::solid(pen.ink), 1.75)]
    } else {
        vec![pen.ink.rgb().filled()]
    }
}
