-- A network file.
CREATE TABLE network (
    network INTEGER PRIMARY KEY,
    -- Of the whole file, in lower-case hexadecimal.
    sha256 TEXT NOT NULL UNIQUE,
    -- A path by which it was given.
    name TEXT NOT NULL
) STRICT;

-- A file of puzzles, with one way to find the moves that are accepted as solutions.
CREATE TABLE suite (
    suite INTEGER PRIMARY KEY,
    sha256 TEXT NOT NULL,
    -- How the acceptable moves of table position were found.
    solver TEXT NOT NULL,
    -- A path by which it was given.
    name TEXT NOT NULL,
    UNIQUE (sha256, solver)
) STRICT;

-- The puzzles of a suite as far as they were measured, counted from 0 in the order of the file.
CREATE TABLE puzzle (
    suite INTEGER NOT NULL REFERENCES suite,
    puzzle INTEGER NOT NULL CHECK (puzzle >= 0),
    -- Lichess's name of the puzzle.
    id TEXT NOT NULL,
    -- The position to solve.
    fen TEXT NOT NULL,
    -- The marked line from there in UCI notation, solver and opponent in turn.
    line TEXT NOT NULL,
    -- Lichess's rating; null without one.
    rating INTEGER,
    -- Names with spaces between.
    themes TEXT NOT NULL,
    -- Moves of the solver to mate; null where the puzzle is not one of mate.
    mate_depth INTEGER,
    -- How the acceptable moves of table position were found: proved (the line ends in mate, and
    -- search decided in every position), marked (it does not: the marked moves only), unproved
    -- (search did not come to an end in some position: there the marked move only) or given (the
    -- suite lists them).
    acceptance TEXT NOT NULL,
    PRIMARY KEY (suite, puzzle)
) STRICT, WITHOUT ROWID;

-- The positions of a puzzle in which the solver is to move.
CREATE TABLE position (
    suite INTEGER NOT NULL,
    puzzle INTEGER NOT NULL,
    -- Place of the solver's move in the line, counted from 0: even.
    ply INTEGER NOT NULL CHECK (ply >= 0 AND ply % 2 = 0),
    -- The moves accepted under the rule multi-solution, with spaces between; the first is the
    -- marked move.
    acceptable TEXT NOT NULL,
    PRIMARY KEY (suite, puzzle, ply),
    FOREIGN KEY (suite, puzzle) REFERENCES puzzle
) STRICT, WITHOUT ROWID;

-- A network put to a suite.
CREATE TABLE measurement (
    measurement INTEGER PRIMARY KEY,
    network INTEGER NOT NULL REFERENCES network,
    suite INTEGER NOT NULL REFERENCES suite,
    policy_head TEXT NOT NULL,
    value_head TEXT NOT NULL,
    -- What the network is shown before the first position known.
    history_fill TEXT NOT NULL,
    -- What computed, and in which number format.
    device TEXT NOT NULL,
    -- The program that began it.
    program TEXT NOT NULL,
    -- Puzzles answered: those of the suite below this number.
    puzzles INTEGER NOT NULL DEFAULT 0 CHECK (puzzles >= 0),
    -- 1 where these are all puzzles of the suite.
    finished INTEGER NOT NULL DEFAULT 0 CHECK (finished IN (0, 1)),
    UNIQUE (network, suite, policy_head, value_head, history_fill, device)
) STRICT;

-- What a network says of a position. Probabilities are those of the policy at temperature 1 over the
-- legal moves; logarithms are natural.
CREATE TABLE answer (
    measurement INTEGER NOT NULL REFERENCES measurement,
    puzzle INTEGER NOT NULL,
    ply INTEGER NOT NULL,
    -- The most probable move; of several, the one of the lowest index.
    played TEXT NOT NULL,
    -- Whether it is accepted under each rule.
    strict INTEGER NOT NULL CHECK (strict IN (0, 1)),
    immediate_mate INTEGER NOT NULL CHECK (immediate_mate IN (0, 1)),
    multi_solution INTEGER NOT NULL CHECK (multi_solution IN (0, 1)),
    -- Logarithms of the probability of all moves accepted under each rule.
    log_p_strict REAL NOT NULL,
    log_p_immediate_mate REAL NOT NULL,
    log_p_multi_solution REAL NOT NULL,
    -- Logarithm of the probability of the marked move.
    log_p_marked REAL NOT NULL,
    -- Place of the marked move among the most probable, counted from 0.
    marked_rank INTEGER NOT NULL CHECK (marked_rank >= 0),
    -- Place of the best of the acceptable moves.
    accepted_rank INTEGER NOT NULL CHECK (accepted_rank >= 0),
    -- Probability of played.
    p_played REAL NOT NULL,
    -- Probability of the second most probable move; 0 where there is no other.
    p_runner_up REAL NOT NULL,
    -- What the value head expects, from the solver's view.
    win REAL NOT NULL,
    draw REAL NOT NULL,
    loss REAL NOT NULL,
    PRIMARY KEY (measurement, puzzle, ply)
) STRICT, WITHOUT ROWID;

-- All of it in one table, for people.
CREATE VIEW answers AS
SELECT
    network.name AS network,
    suite.name AS suite,
    measurement,
    answer.puzzle AS puzzle,
    puzzle.id AS id,
    puzzle.rating AS rating,
    puzzle.themes AS themes,
    puzzle.mate_depth AS mate_depth,
    puzzle.acceptance AS acceptance,
    answer.ply AS ply,
    CASE instr(position.acceptable, ' ')
        WHEN 0 THEN position.acceptable
        ELSE substr(position.acceptable, 1, instr(position.acceptable, ' ') - 1)
    END AS marked,
    position.acceptable AS acceptable,
    played,
    strict,
    immediate_mate,
    multi_solution,
    log_p_strict,
    log_p_immediate_mate,
    log_p_multi_solution,
    log_p_marked,
    marked_rank,
    accepted_rank,
    p_played,
    p_runner_up,
    win,
    draw,
    loss
FROM answer
JOIN measurement USING (measurement)
JOIN network USING (network)
JOIN suite USING (suite)
JOIN puzzle ON puzzle.suite = measurement.suite AND puzzle.puzzle = answer.puzzle
JOIN position ON position.suite = measurement.suite AND position.puzzle = answer.puzzle
    AND position.ply = answer.ply;

-- The same by puzzle: whether it is solved, and the logarithm of its solution probability.
CREATE VIEW puzzles AS
SELECT
    network, suite, measurement, puzzle, id, rating, themes, mate_depth, acceptance,
    count(*) AS positions,
    min(strict) AS strict,
    min(immediate_mate) AS immediate_mate,
    min(multi_solution) AS multi_solution,
    sum(log_p_strict) AS log_p_strict,
    sum(log_p_immediate_mate) AS log_p_immediate_mate,
    sum(log_p_multi_solution) AS log_p_multi_solution
FROM answers
GROUP BY measurement, puzzle;
