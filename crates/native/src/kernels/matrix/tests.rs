use std::panic::catch_unwind;

use super::*;

#[test]
fn only_what_fits_is_accepted() {
    let rows = [
        (12, (3, 4, 4), true),
        (11, (3, 4, 4), false),
        (14, (3, 4, 5), true),
        (13, (3, 4, 5), false),
        (100, (3, 4, 3), false),
        (0, (0, 4, 4), true),
        (0, (5, 0, 0), true),
        (5, (usize::MAX, 1, 2), false),
        (5, (3, usize::MAX, usize::MAX), false),
    ];
    for (length, (rows, columns, stride), accepted) in rows {
        let view = catch_unwind(|| {
            MatrixRef::strided(&vec![0.0; length], rows, columns, stride);
        });
        let view_mut = catch_unwind(|| {
            MatrixMut::strided(&mut vec![0.0; length], rows, columns, stride);
        });
        assert_eq!(view.is_ok(), accepted, "{rows} x {columns} at {stride} in {length}");
        assert_eq!(view_mut.is_ok(), accepted, "{rows} x {columns} at {stride} in {length}");
    }
}

#[test]
fn rows_are_where_the_stride_says() {
    let mut values: Vec<f32> = (0..14).map(|i| i as f32).collect();
    let view = MatrixRef::strided(&values, 3, 4, 5);
    assert_eq!(view.row(2, 1..4), [11.0, 12.0, 13.0]);
    let mut view = MatrixMut::strided(&mut values, 3, 4, 5);
    assert_eq!(view.row_mut(1, 0..2), [5.0, 6.0]);
}
