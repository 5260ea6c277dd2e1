//! Mending what was typed: letters held down, chat spellings, slips of the finger, words run together.

use super::lexicon::{ACCEPT, MOTION, OWN_MOTION, REJECT, direction};

/// Chat spellings and abbreviations; each stands for one or more plain words.
const RESPELT: &[(&str, &str)] = &[
    ("your", "ur yr yor yur"),
    ("you", "yu yoo"),
    ("youre", "youer yourr"),
    ("please", "pls plz plss plzz pleas plese pleez pleaze plox pl"),
    ("dont", "dnt dun donot dnot dony dotn"),
    ("left", "lft lef letf lfet ledt kefl leff elft leift lefft lefty lfeft lefr l3ft izquierda"),
    (
        "right",
        "rgt rght rite righ rigt rigth riht rihgt rigjt ritgh righy rught rifht righr riught irght rait r1ght derecha",
    ),
    ("up", "upp uup uo uip yp oup pu upo ip arriba"),
    ("down", "dwn donw dow dwon dowm odwn dowb diwn sown dowen doen doqn abajo"),
    ("north", "noth nrth nroth norht norf"),
    ("south", "soth suth sotuh souht soutg"),
    ("east", "esat eats eeast aest est"),
    ("west", "wset wets wesr"),
    ("cant", "cnt cabt cnat canr kant cannt"),
    ("cannot", "canot cannott"),
    ("want", "wnt"),
    ("wanna", "wana"),
    ("ill", "imma ima imna"),
    ("have to", "gotta hafta"),
    ("going to", "gona"),
    ("because", "cuz cos coz bc bcoz becuz becasue becuase bcz cus"),
    ("though", "tho"),
    ("through", "thru throught thorugh"),
    ("what", "wat wht waht wut wot"),
    ("whats", "wats wuts whts whatz"),
    ("what do you mean", "wdym"),
    ("what do you think", "wdyt"),
    ("where", "whr wer wehre whre wheer"),
    ("whereabouts", "whereabout"),
    ("which", "wich whcih wihch"),
    ("yes", "ya yus"),
    ("wait", "w8 wiat wati wiait waitt waait"),
    ("great", "gr8"),
    ("later", "l8r l8er latr"),
    ("why", "y"),
    ("wall", "wal wll wal1 walll wlal waal"),
    ("i dont know", "idk dunno iono idunno"),
    ("not going to", "aint"),
    ("got to", "g2g"),
    ("be right back", "brb"),
    ("know", "kno knw"),
    ("to", "2wards toward towards tothe"),
    ("the", "teh da th hte tha"),
    ("and", "nd adn"),
    ("then", "thn hten tehn"),
    ("with", "wth wiht"),
    ("that", "dat taht tht"),
    ("there", "ther tehre thier"),
    ("treasure", "tresure tresaure treasur treaure tresur treasue treassure trasure tressure treasre"),
    ("move", "mv mov moce mvoe"),
    ("go", "goo og gp g0"),
    ("ok", "okk okkk oj ko 0k oki"),
    ("possible", "posible possble"),
    ("impossible", "imposible impossble"),
    ("blocked", "bloked blcoked blockd blockced"),
    ("first", "frist fisrt 1st"),
    ("before", "b4 befor"),
    ("about", "abt bout"),
    ("sorry", "sry srry soz sory"),
    ("okay", "oaky okya"),
    ("thanks", "thx tnx thnx tks ty tysm"),
    ("stay", "sty stya satay stey sray"),
    ("no", "noo noe"),
    ("nope", "nop noep"),
    ("yeah", "yeha yaeh"),
    ("could", "cud culd coud"),
    ("would", "wud woud wuld"),
    ("should", "shud shuld shoud"),
    ("keep", "kep keeep"),
    ("my", "mah"),
    ("side", "sied sdie"),
    ("going", "goin gonig giong"),
    ("moving", "movin moveing"),
    ("you are", "youare"),
    ("let me", "lemme lemmie"),
    ("give me", "gimme gimmie"),
    ("out of here", "outta"),
    ("kind of", "kinda"),
    ("trying to", "tryna"),
    ("all right", "alrite"),
    ("right now", "rn"),
    ("never mind", "nvm nevermind nvmd"),
    ("in my opinion", "imo imho"),
    ("for real", "fr"),
    ("by the way", "btw"),
    ("the other way", "otherway"),
    ("up left", "nw northwest topleft upleft"),
    ("up right", "ne northeast topright"),
    ("down left", "sw southwest downleft"),
    ("down right", "se southeast"),
    ("dead end", "deadend"),
    ("a lot", "alot"),
];

/// Words that are looked for with one letter wrong. Real words that differ from them by a letter are in
/// [`LOOKALIKES`] or tagged themselves.
const OFTEN_MISTYPED: &str = "right left down north south east west upwards downwards stay wait pass cant cannot wall walls \
    blocked treasure where please okay alright sorry move impossible instead should would could before after first because \
    there moving going heading again towards direction other stuck which think agreed undo reverse";

/// Real words that only look like mistyped ones.
const LOOKALIKES: &str = "light night might fight tight sight eight bright fright lest let lets lift loft felt lost list last own \
    dawn town gown done does dont now know how ease easy best rest test nest went say says stuff star start stat state step want \
    wants waste past ass path can cat cost cast cart well will all call tall fall walk ways way there here were wear these more \
    mode made love least feast beast yeast wit bait gait paws pas part case hall ball small worry moves moved mood movie every \
    shall mouth month forth worth fort port both when what wet eat fast lists locked clocked vest next text leave lead length \
    weight height straight flight stays waits bold words would could should though thought their them they then than that this \
    other others mother either think thing things thank drink sink stick stock struck under order fist fires fierce against agree \
    agrees degree tower power flower loved stall stand stray slay spay wallet walled whose while whole white shots shoot short \
    shout shown crown brown drown frown blown town doing young gone sort sorts story store shore please pleased pleasure measure \
    passed cleft wrist";

/// The word as it was meant: one or more plain words.
pub(super) fn mend(word: &str) -> String {
    let word = release(word);
    let listed = |list: &str| list.split_ascii_whitespace().any(|listed| listed == word);
    if let Some((plain, _)) = RESPELT.iter().find(|(_, spellings)| listed(spellings)) {
        return (*plain).to_owned();
    }
    if word.len() < 4 || known(&word) || listed(LOOKALIKES) || listed(OFTEN_MISTYPED) {
        return word;
    }
    if let Some(apart) = run_together(&word) {
        return apart;
    }
    match OFTEN_MISTYPED.split_ascii_whitespace().find(|meant| one_slip(&word, meant)) {
        Some(meant) => meant.to_owned(),
        None => word,
    }
}

fn known(word: &str) -> bool {
    direction(word).is_some() || [ACCEPT, REJECT, MOTION, OWN_MOTION].iter().any(|list| list.contains(&word))
}

/// A letter held down is written once, or twice where only that makes a word.
fn release(word: &str) -> String {
    let shorten = |keep: usize| {
        let chars: Vec<char> = word.chars().collect();
        let runs = chars.chunk_by(|one, other| one == other);
        runs.flat_map(|run| {
            let length = if run.len() >= 3 && run[0].is_alphabetic() { keep } else { run.len() };
            std::iter::repeat_n(run[0], length)
        })
        .collect::<String>()
    };
    let once = shorten(1);
    let twice = shorten(2);
    if !known(&once) && known(&twice) { twice } else { once }
}

/// "goleft", "upup", "moveright".
fn run_together(word: &str) -> Option<String> {
    let ends = ["right", "left", "up", "down", "north", "south", "east", "west"];
    let starts = ["go", "goto", "move", "head", "try", "turn", "step", "keep", "then", "and", "no", "not"];
    let head = ends.iter().find_map(|end| word.strip_suffix(end))?;
    let fits = starts.contains(&head) || ends.contains(&head);
    (fits && !["upright", "downright"].contains(&word)).then(|| format!("{head} {}", &word[head.len()..]))
}

/// Whether `typed` is `meant` with one letter missing, doubled, wrong or swapped with its neighbour.
fn one_slip(typed: &str, meant: &str) -> bool {
    let (typed, meant): (Vec<char>, Vec<char>) = (typed.chars().collect(), meant.chars().collect());
    if typed.first() != meant.first() && typed.get(1) != meant.first() {
        return false;
    }
    let same = typed.iter().zip(&meant).take_while(|(one, other)| one == other).count();
    let rest = |word: &[char], from: usize| word.get(from..).unwrap_or_default().to_vec();
    match typed.len() as i64 - meant.len() as i64 {
        -1 => rest(&typed, same) == rest(&meant, same + 1),
        1 => rest(&typed, same + 1) == rest(&meant, same),
        0 => {
            let swapped = typed.get(same) == meant.get(same + 1) && typed.get(same + 1) == meant.get(same);
            rest(&typed, same + 1) == rest(&meant, same + 1)
                || swapped && typed.get(same + 1).is_some() && rest(&typed, same + 2) == rest(&meant, same + 2)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_mended() {
        for (typed, meant) in [
            ("rigth", "right"),
            ("leeeeft", "left"),
            ("dowwwn", "down"),
            ("goleft", "go left"),
            ("upright", "upright"),
            ("fight", "fight"),
            ("tresure", "treasure"),
            ("wiat", "wait"),
            ("okkkk", "ok"),
            ("cooool", "cool"),
            ("ßßß", "ß"),
        ] {
            assert_eq!(mend(typed), meant, "{typed}");
        }
    }
}
