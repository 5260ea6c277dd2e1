//! From intents to words and back (sections 3.2, 3.3, appendix A.1), and what people write.

mod common;

use common::{any_intent, any_task, task};
use proptest::prelude::*;
use std::collections::BTreeSet;
use tandem_cogrip::language::{
    Descriptor, Hint, LONGEST, Meaning, Sentence, Situation, Word, free, incremental, meaning, parse, verbalise, word,
};
use tandem_cogrip::{Area, Cell, Color, Direction, Intent, Order, Property, Shape, Symbol};

fn color_and_shape() -> Vec<Descriptor> {
    let all = Color::ALL.into_iter().flat_map(|color| Shape::ALL.map(|shape| (color, shape)));
    all.map(|(color, shape)| Descriptor { color: Some(color), shape: Some(shape), area: None }).collect()
}

/// Everything that the language can mean.
fn meanings() -> Vec<Meaning> {
    let mut all = vec![Meaning::Silence];
    all.extend(Direction::ALL.map(Meaning::Go));
    for piece in [vec![Descriptor::default()], color_and_shape()].concat() {
        all.extend([Meaning::Confirm(piece), Meaning::Decline(piece), Meaning::Take(piece)]);
    }
    let some = |values: Vec<Option<_>>| values;
    for color in some([vec![None], Color::ALL.map(Some).to_vec()].concat()) {
        for shape in [vec![None], Shape::ALL.map(Some).to_vec()].concat() {
            for area in [vec![None], Area::AROUND.map(Some).to_vec()].concat() {
                let piece = Descriptor { color, shape, area };
                if !piece.is_empty() {
                    all.push(Meaning::Refer(piece));
                }
            }
        }
    }
    all
}

#[test]
fn every_meaning_has_a_sentence_of_its_own_that_is_read_back() {
    let meanings = meanings();
    assert_eq!(meanings.len(), 1 + 4 + 3 * 55 + 7 * 10 * 9 - 1);
    let mut sentences = BTreeSet::new();
    let mut used = BTreeSet::new();
    for meaning in meanings {
        let sentence = word(meaning);
        assert_eq!(parse(&sentence), Ok(meaning), "{sentence}");
        assert_eq!(free(&sentence.to_string()), Ok(meaning), "{sentence} as a person writes it");
        assert!(sentence.words().len() <= LONGEST && LONGEST == 12);
        assert_eq!(sentence.is_silence(), meaning == Meaning::Silence);
        assert!(sentences.insert(sentence.to_string()), "{sentence} has two meanings");
        used.extend(sentence.words().to_vec());
    }
    assert_eq!(used.into_iter().collect::<Vec<_>>(), Word::ALL, "the vocabulary is what the templates need");
}

/// The templates of section 3.3 and appendix A.1.
#[test]
fn the_templates_are_those_of_the_paper() {
    // A red T at top left whose tiles are (3..=5, 3), (4, 4), (4, 5); a red X at bottom right; a blue T at top left.
    let task = task(&["red T 2,2", "red X 15,15", "blue T 0,5"]);
    let say = |intent: Intent, gripper: (u8, u8)| {
        let gripper = Cell::new(gripper.0, gripper.1);
        verbalise(intent, Situation { board: &task.board, target: task.target, gripper }).to_string()
    };
    let (empty, over, over_other) = ((10, 10), (4, 4), (17, 17));
    assert_eq!(say(Intent::Silence, over), "");
    assert_eq!(say(Intent::Confirm, empty), "Yes this way");
    assert_eq!(say(Intent::Confirm, over), "Yes this red T");
    assert_eq!(say(Intent::Decline, empty), "Not this way");
    assert_eq!(say(Intent::Decline, over_other), "Not this red X");
    assert_eq!(say(Intent::Take, empty), "Take piece");
    assert_eq!(say(Intent::Take, over_other), "Take red X");
    for direction in Direction::ALL {
        assert_eq!(say(Intent::Go(direction), over), format!("Go {}", direction.name()));
    }
    let references = Order::ALL.map(|order| say(Intent::Refer(order), empty));
    assert_eq!(
        references,
        [
            "Take the red piece at top left",
            "Take the red piece at top left",
            "Take the red piece at top left",
            "Take the red T",
            "Take the red T",
            "Take the red T",
        ]
        .map(str::to_owned)
    );
}

#[test]
fn what_is_no_sentence_is_refused() {
    let refused = |words: &[Word]| parse(&Sentence::of(words.iter().copied()).expect("few words")).is_err();
    use Word::{At, Go, Left, Piece, Red, Take, The, This, Top, Up, Way, Yes};
    for words in [
        &[Take][..],
        &[Take, The],
        &[Take, The, Piece],
        &[Take, The, Red],
        &[Take, The, Red, Piece, At],
        &[Take, The, Red, Piece, At, Top],
        &[Take, The, Red, Piece, At, Left, Top],
        &[Take, Red],
        &[Yes],
        &[Yes, This],
        &[Yes, This, Piece],
        &[Yes, Way],
        &[Go],
        &[Go, Top],
        &[Go, Up, Up],
        &[Red],
    ] {
        assert!(refused(words), "{words:?}");
    }
    assert_eq!(Sentence::of([Red; 13]), None, "too many words");
    let error = parse(&Sentence::of([Go, Top]).expect("two words")).expect_err("no direction");
    assert_eq!(error.to_string(), "\"Go top\" is no sentence of the Guide's language");
}

/// Words that say something together, or trouble.
const SNIPPETS: [&str; 18] = [
    "the", "u", "n", "go", "left", "not", "is", "right", "red", "T", "of", "board", "2", "top", "'", "\u{130}", "pick",
    "up",
];

fn symbol(index: usize) -> Symbol {
    let (shape, color, area) = (index / 48 % 9, index / 8 % 6, index % 8);
    Symbol { shape: Shape::ALL[shape], color: Color::ALL[color], area: Area::AROUND[area] }
}

fn shares(target: Symbol, other: Symbol, property: Property) -> bool {
    match property {
        Property::Position => target.area == other.area,
        Property::Color => target.color == other.color,
        Property::Shape => target.shape == other.shape,
    }
}

fn names(named: Descriptor, property: Property) -> bool {
    match property {
        Property::Position => named.area.is_some(),
        Property::Color => named.color.is_some(),
        Property::Shape => named.shape.is_some(),
    }
}

proptest! {
    #[test]
    fn verbalise_then_parse_is_the_identity(task in any_task(), intent in any_intent(), x in 0u8..30, y in 0u8..30) {
        let gripper = Cell::new(x % task.board.size(), y % task.board.size());
        let situation = Situation { board: &task.board, target: task.target, gripper };
        let sentence = verbalise(intent, situation);
        prop_assert!(sentence.words().len() <= LONGEST);
        let read = parse(&sentence);
        prop_assert_eq!(read.clone(), Ok(meaning(intent, situation)));
        // The kind of the intent, and a direction, come back too; of an order only what it led to.
        let same_kind = match (intent, read.expect("just read")) {
            (Intent::Silence, Meaning::Silence) => true,
            (Intent::Confirm, Meaning::Confirm(_)) => true,
            (Intent::Decline, Meaning::Decline(_)) => true,
            (Intent::Take, Meaning::Take(_)) => true,
            (Intent::Go(one), Meaning::Go(other)) => one == other,
            (Intent::Refer(_), Meaning::Refer(named)) => !named.is_empty(),
            _ => false,
        };
        prop_assert!(same_kind);
    }

    /// Few values, so that distractors share much with the target, and everything happens.
    #[test]
    fn the_incremental_algorithm_names_what_excludes_and_stops(
        target in prop::sample::select(vec![0usize, 9, 58, 107]),
        distractors in prop::collection::vec(prop::sample::select(vec![0usize, 1, 8, 9, 48, 49, 56, 58, 107]), 1..8),
        order in prop::sample::select(Order::ALL.to_vec()),
    ) {
        let target = symbol(target);
        let distractors: Vec<Symbol> = distractors.into_iter().map(symbol).collect();
        let named = incremental(target, distractors.iter().copied(), order);
        prop_assert!(!named.is_empty());
        prop_assert!(named.area.is_none_or(|area| area == target.area), "only the target's own properties");
        prop_assert!(named.color.is_none_or(|color| color == target.color));
        prop_assert!(named.shape.is_none_or(|shape| shape == target.shape));
        let mut left = distractors.clone();
        let mut excluded = 0;
        for property in order.properties() {
            let before = left.len();
            left.retain(|other| shares(target, *other, property));
            excluded += before - left.len();
            let all_same = distractors.iter().all(|other| *other == target);
            prop_assert_eq!(names(named, property), left.len() < before || all_same, "{:?}", property);
        }
        // Those left share all three properties: nothing could exclude them.
        prop_assert!(left.iter().all(|other| *other == target));
        prop_assert!(excluded + left.len() == distractors.len());
    }

    #[test]
    fn a_reference_fits_no_distractor_of_a_drawn_board(
        task in any_task(),
        order in prop::sample::select(Order::ALL.to_vec()),
    ) {
        let target = task.board.symbol(task.target);
        let others = (0..task.board.pieces().len()).filter(|piece| *piece != task.target);
        let others: Vec<Symbol> = others.map(|piece| task.board.symbol(piece)).collect();
        let named = incremental(target, others.iter().copied(), order);
        let fits = |other: &Symbol| {
            order.properties().into_iter().all(|property| !names(named, property) || shares(target, *other, property))
        };
        prop_assert!(fits(&target));
        prop_assert!(!others.iter().any(fits));
    }

    #[test]
    fn no_text_makes_the_reader_panic(
        text in any::<String>(),
        words in prop::collection::vec(prop::sample::select(SNIPPETS.to_vec()), 0..8),
    ) {
        let _ = free(&text);
        let text = words.join(" ");
        if let Ok(meaning) = free(&text) {
            prop_assert_eq!(parse(&word(meaning)), Ok(meaning), "{} is understood as a sentence of the language", text);
        }
    }
}

#[test]
fn people_are_understood_or_told_what_stands_in_the_way() {
    let mut wrong = Vec::new();
    let mut read = 0;
    for line in include_str!("free.tsv").lines().filter(|line| !line.starts_with('#')) {
        let (text, expected) = line.split_once('\t').expect("a tab");
        let got = match free(text) {
            Ok(meaning) => word(meaning).to_string(),
            Err(error) => match error.hint {
                Hint::Nothing => "?nothing",
                Hint::Relation => "?relation",
                Hint::Number => "?number",
                Hint::Several(_) => "?several",
                Hint::HalfPlace => "?half",
                Hint::Middle => "?middle",
            }
            .to_owned(),
        };
        read += 1;
        if got != expected {
            wrong.push(format!("{text:?}: {got:?}, not {expected:?}"));
        }
    }
    assert!(read >= 120, "{read}");
    assert!(wrong.is_empty(), "{} of {read}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn a_misunderstanding_says_what_would_be_understood() {
    let answer = free("two up").expect_err("a number").to_string();
    assert!(answer.starts_with("I did not understand that: I cannot count"), "{answer}");
    assert!(answer.contains("the red T at top left") && answer.contains("\"yes\" or \"no\""), "{answer}");
}
