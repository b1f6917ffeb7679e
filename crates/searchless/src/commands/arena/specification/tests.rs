use super::*;

fn network_of(text: &str) -> (String, MoveChoice) {
    let specification: PlayerSpecification = text.parse().expect("a player");
    assert_eq!(String::from(specification.clone()), text);
    match specification.kind {
        KindSpecification::Network { choice, .. } => (specification.name, choice),
        KindSpecification::Engine { .. } => panic!("{text} is a network"),
    }
}

#[test]
fn networks() {
    let check = |text: &str, name: &str, choice: MoveChoice| {
        assert_eq!(network_of(text), (name.to_owned(), choice));
    };
    check("nets/base.pb.gz", "base", MoveChoice::Argmax);
    check("base.pb,play=adaptive", "base:adaptive", MoveChoice::Adaptive);
    check("base.pb.gz,play=value,name=b=c", "b=c", MoveChoice::ValueLookup);
    check("base.pb.gz,name=one,name=two", "two", MoveChoice::Argmax);
    let half = policy::Temperature::new(0.5).expect("valid");
    check("base.pb.gz,play=0.5", "base:0.5", MoveChoice::Sampled(half));
}

#[test]
fn engines() {
    let check = |text: &str, name: &str, limit: EngineLimit, options: &[(&str, &str)]| {
        let specification: PlayerSpecification = text.parse().expect("a player");
        let KindSpecification::Engine { command, limit: found } = specification.kind else {
            panic!("{text} is an engine")
        };
        let options: Vec<(String, String)> =
            options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        assert_eq!((specification.name.as_str(), found), (name, limit));
        assert_eq!(command.options, options);
    };
    let nodes = |nodes| EngineLimit::Move(SearchLimit::Nodes(nodes));
    check("engine:stockfish,nodes=10", "stockfish", nodes(10), &[]);
    let options = [("UCI_Elo", "1500"), ("UCI_LimitStrength", "true")];
    check(
        "engine:/usr/games/stockfish,name=sf,nodes=1,option.UCI_Elo=1500,option.UCI_LimitStrength=true",
        "sf",
        nodes(1),
        &options,
    );
    check("engine:x,depth=3", "x", EngineLimit::Move(SearchLimit::Depth(3)), &[]);
    let time = SearchLimit::MoveTime(Duration::from_millis(50));
    check("engine:x,movetime=50", "x", EngineLimit::Move(time), &[]);
    let clock = |base, increment| EngineLimit::Clock {
        base: Duration::from_secs_f64(base),
        increment: Duration::from_secs_f64(increment),
    };
    check("engine:x,tc=10+0.1", "x", clock(10.0, 0.1), &[]);
    check("engine:x,tc=5", "x", clock(5.0, 0.0), &[]);
}

#[test]
fn what_is_no_player_says_why() {
    let check = |text: &str, expected: &str| {
        let error = text.parse::<PlayerSpecification>().expect_err(text);
        assert_eq!(error, expected, "{text}");
    };
    check("", "expected a network file, or engine:PROGRAM");
    check("engine:", "expected engine:PROGRAM");
    check("a.pb.gz,play", "'play' is not NAME=VALUE");
    check("a.pb.gz,name=", "a player needs a name");
    check("engine:x", "an engine needs one of nodes, depth, movetime and tc");
    check("engine:x,nodes=1,depth=1", "an engine needs one of nodes, depth, movetime and tc");
    check("engine:x,tc=0", "tc=0: expected seconds and increment, as in 10+0.1");
    check("engine:x,tc=-1+1", "tc=-1+1: expected seconds and increment, as in 10+0.1");
    check(
        "engine:x,play=argmax,nodes=1",
        "'play' is no setting here; expected name, nodes, depth, movetime, tc, arg, option.NAME",
    );
}
