//! From a path to a file with our tables.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use super::StoreProblem;

/// How long to wait for other processes: far longer than a transaction takes.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);

/// Marks the file as ours, in its header: "SRLS".
const APPLICATION_ID: i64 = 0x5352_4C53;

/// Version of the tables, in the file's header too.
pub(super) const VERSION: i64 = 1;

/// Opens the file and makes the tables where there are none.
pub(super) fn connect(path: &Path, patience: Duration) -> Result<Connection, StoreProblem> {
    // Without SQLITE_OPEN_URI: a path is a path, also where it begins with "file:".
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let mut connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(patience)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // Someone else's file may hold views and triggers that call functions.
    connection.pragma_update(None, "trusted_schema", false)?;
    connection.pragma_update(None, "cell_size_check", true)?;
    if !is_ours(&connection)? {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        // Another process may have made the tables since we looked.
        if !is_ours(&transaction)? {
            transaction.execute_batch(include_str!("schema.sql"))?;
            transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
            transaction.pragma_update(None, "user_version", VERSION)?;
        }
        transaction.commit()?;
    }
    Ok(connection)
}

/// Whether the tables are there; `false` for an empty file.
fn is_ours(connection: &Connection) -> Result<bool, StoreProblem> {
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (application, found) = (number("application_id")?, number("user_version")?);
    if application == APPLICATION_ID {
        return match found {
            VERSION => Ok(true),
            found if found > VERSION => Err(StoreProblem::Newer { found, known: VERSION }),
            found => Err(StoreProblem::Contents(format!("there is no schema {found}"))),
        };
    }
    let tables: i64 =
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    if (application, found, tables) == (0, 0, 0) { Ok(false) } else { Err(StoreProblem::Foreign) }
}
