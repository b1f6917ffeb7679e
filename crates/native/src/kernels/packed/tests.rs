use proptest::prelude::*;

use super::*;
use crate::kernels::testing::numbers;

/// The number at a row and column.
fn element(packed: &PackedMatrix, row: usize, column: usize) -> f32 {
    let Panels::Exact(panels) = packed.panels() else { panic!("packed for bfloat16") };
    panels[column / PANEL * packed.depth() + row].0[column % PANEL]
}

/// Packs `[rows x columns]` with a stride both ways.
fn check(rows: usize, columns: usize, padding: usize) {
    let stride = columns + padding;
    let values = numbers(1, rows * stride);
    let view = MatrixRef::strided(&values, rows, columns, stride);
    for set in InstructionSet::available() {
        let direct = PackedMatrix::from_rows(set, view);
        let transposed = PackedMatrix::from_output_input(set, view);
        assert_eq!((direct.depth(), direct.columns()), (rows, columns));
        assert_eq!((transposed.depth(), transposed.columns()), (columns, rows));
        for row in 0..rows {
            for column in 0..columns {
                let expected = values[row * stride + column];
                assert_eq!(element(&direct, row, column), expected, "{set}");
                assert_eq!(element(&transposed, column, row), expected, "{set}");
            }
        }
        for packed in [direct, transposed] {
            for column in packed.columns..packed.columns.next_multiple_of(PANEL) {
                assert!((0..packed.depth).all(|row| element(&packed, row, column) == 0.0));
            }
        }
    }
}

#[test]
#[should_panic(expected = "shape")]
fn another_shape_is_refused() {
    let values = numbers(1, 12);
    let set = InstructionSet::detect();
    let mut packed = PackedMatrix::from_rows(set, MatrixRef::new(&values, 3, 4));
    packed.repack_output_input(set, MatrixRef::new(&values, 3, 4));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn any_shape(rows in 0..100_usize, columns in 0..100_usize, padding in 0..3_usize) {
        check(rows, columns, padding);
    }
}
