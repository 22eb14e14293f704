//! The texts of the detailed reports, one for each dimension.

use crate::Dimension;

/// The detailed report on a dimension, in plain text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DimensionReport {
    /// A headline of a few words.
    pub title: &'static str,
    /// What a high result means.
    pub meaning: &'static str,
    /// What to watch out for.
    pub caution: &'static str,
    /// What to do with it this week.
    pub practice: &'static str,
    /// The search query for fitting books of the catalogue.
    pub search: &'static str,
}

impl Dimension {
    /// The detailed report on the dimension.
    pub const fn report(self) -> DimensionReport {
        match self {
            Self::Linguistic => LINGUISTIC,
            Self::LogicalMathematical => LOGICAL_MATHEMATICAL,
            Self::Spatial => SPATIAL,
            Self::Musical => MUSICAL,
            Self::BodilyKinesthetic => BODILY_KINESTHETIC,
            Self::Interpersonal => INTERPERSONAL,
            Self::Intrapersonal => INTRAPERSONAL,
            Self::Naturalistic => NATURALISTIC,
            Self::Existential => EXISTENTIAL,
            Self::Red => RED,
            Self::Yellow => YELLOW,
            Self::Green => GREEN,
            Self::Blue => BLUE,
        }
    }
}

const LINGUISTIC: DimensionReport = DimensionReport {
    title: "You think in words",
    meaning: "Sentences are your workshop. You notice when a word is nearly right, you understand something best once you \
        have said or written it, and you remember how something was put long after you have forgotten where you read it.",
    caution: "A well-made sentence is persuasive even when it is wrong, and yours persuade you first. Before you trust an \
        argument because it reads well, ask what you would have to see, count or try to prove it wrong.",
    practice: "After each summary, close it and write three sentences: what it claims, why, and what you doubt. Then read one of \
        them to someone. What you stumble over is what you have not understood yet.",
    search: "language writing rhetoric",
};

const LOGICAL_MATHEMATICAL: DimensionReport = DimensionReport {
    title: "You look for the reason",
    meaning: "You like to know why something follows. Patterns, causes and numbers settle questions for you, and you are uneasy \
        with a conclusion until you have seen each step that leads to it.",
    caution: "Not every question comes with enough facts to solve it, and a person who is hurt is not a puzzle. When there \
        are few numbers, an openly rough judgment is more honest than an exact one built on guesses.",
    practice: "Take one belief that you act on every day and write down the evidence for it, then the strongest case against it. \
        Give your confidence as a percentage. Look again in a month.",
    search: "logic science reason evidence",
};

const SPATIAL: DimensionReport = DimensionReport {
    title: "You see how it fits together",
    meaning: "You turn ideas into pictures. Maps, sketches and arrangements make sense to you at a glance, and you can often see \
        how a thing will look or work before it exists.",
    caution: "What you see so clearly is not in anyone else's head yet. People who think in words or steps need the picture \
        explained, and a drawing can hide that a part has been left out.",
    practice: "Draw the argument of the next book you finish on one page: boxes for claims, arrows for reasons. Where you can't \
        draw the arrow, the author may not have had one either.",
    search: "art design observation nature",
};

const MUSICAL: DimensionReport = DimensionReport {
    title: "You hear the pattern",
    meaning: "You are quick to pick up rhythm and tone. You notice how something is said as much as what is said, and what \
        has a rhythm stays with you: a tune, a line of verse, the way a voice falls at the end of a sentence.",
    caution: "A tone can mislead. Some people sound sure and are not; others sound cold when they are only careful. When a voice \
        moves you, ask what would be left of it on paper.",
    practice: "Listen to a summary rather than reading it, and stop after each idea to say it aloud in your own rhythm. If \
        there is a habit you want to keep, give it a fixed place in the day, like a beat.",
    search: "music poetry rhythm",
};

const BODILY_KINESTHETIC: DimensionReport = DimensionReport {
    title: "You learn by doing",
    meaning: "Your hands understand before you can explain. You would rather try something than hear about it, and you think better \
        on your feet than on a chair.",
    caution: "Practice makes permanent, not perfect: what is trained wrongly stays wrong for a long time. Watch a good example \
        closely before the first hundred repetitions.",
    practice: "Choose one piece of advice from a book and do it today, in its smallest form. Walk while you listen. Judge the idea by \
        what happened, not by how it sounded.",
    search: "body health practice work",
};

const INTERPERSONAL: DimensionReport = DimensionReport {
    title: "You read people",
    meaning: "You notice moods, see what someone needs before they say it, and often understand a situation through the \
        people in it. Others think better when they talk with you.",
    caution: "If you feel what everyone wants, you can lose sight of what you want yourself. Harmony in a room is not the same as agreement, \
        and a kind silence can leave the real question unasked.",
    practice: "In your next conversation that matters, ask two more questions than you usually would, and repeat what you have \
        heard before you answer. Then say one thing that you would have left out.",
    search: "people influence leadership friendship",
};

const INTRAPERSONAL: DimensionReport = DimensionReport {
    title: "You know your own mind",
    meaning: "You take time to find out what you think and why you act as you do. You can usually name what you feel, you learn from your \
        mistakes, and you need some quiet to be at your best.",
    caution: "Reflection can go in circles. When the same thought comes back for the third time without a new fact, it is no longer \
        helping you: try something, or ask someone who was there.",
    practice: "Write five lines each evening for a week: what you did, what you felt, what you would repeat. On the seventh day \
        look for what surprises you, and change one thing.",
    search: "self reflection solitude virtue",
};

const NATURALISTIC: DimensionReport = DimensionReport {
    title: "You notice the living world",
    meaning: "You see differences that others walk past: a leaf, a change of weather, how an animal behaves. You sort what \
        you see, and being outdoors clears your head.",
    caution: "Sorting things into kinds is a strength until it is done to people, who keep changing kinds. Nature also does not \
        tell us what is right: that something is natural is not yet an argument.",
    practice: "Visit the same spot three times this week and write down five things each time that you had not seen before. Use the \
        same patience on a problem at work.",
    search: "nature animals evolution plants",
};

const EXISTENTIAL: DimensionReport = DimensionReport {
    title: "You ask what it is for",
    meaning: "Big questions do not tire you. You want to know what a life is good for, what is owed to others, and how \
        things look from far away; small matters make sense to you as part of something larger.",
    caution: "A question that can't be answered can become a reason to begin nothing. Meaning is more often found in what \
        you do for years than in what you decide in an evening.",
    practice: "Write down, in one sentence, what you would want to have done ten years from now. Then name the smallest thing that \
        belongs to it and do it before Friday.",
    search: "philosophy meaning death life",
};

const RED: DimensionReport = DimensionReport {
    title: "Red: you decide",
    meaning: "You see the goal and go. You are quick, direct and not afraid of an argument, and when nobody else takes \
        responsibility, you do. Others know where they stand with you.",
    caution: "Speed leaves people behind, and they notice what you did not hear. Some decisions improve with a night's \
        sleep: those that can't be taken back, and those that others must carry out.",
    practice: "Before your next decision ask two people who will live with it, and say nothing until both have finished. Then decide, \
        and tell them what you did with their answer.",
    search: "leadership strategy power",
};

const YELLOW: DimensionReport = DimensionReport {
    title: "Yellow: you inspire",
    meaning: "You bring ideas and good spirits. You connect with people easily and see possibilities before obstacles, and \
        others join in because you so clearly enjoy it.",
    caution: "The next idea is always fresher than the present one. What you began with joy you may have to finish without \
        it, and a promise made in a good mood is still a promise.",
    practice: "Choose one thing you have started and set a day for it to be done. Tell someone who will ask. Write new ideas \
        on a list, and open the list only when it is finished.",
    search: "creativity habits persuasion",
};

const GREEN: DimensionReport = DimensionReport {
    title: "Green: you support",
    meaning: "You are steady, patient and loyal. You listen before you speak, people trust you with what troubles them, and what you take \
        on gets done without fuss.",
    caution: "People who never say no are asked for more and more. Peace that is bought with silence becomes expensive, and people who \
        like you would rather know what you want than guess.",
    practice: "Say no to one small request this week, kindly and without a long reason. Once, when you would usually wait, \
        say what you want.",
    search: "calm patience justice courage",
};

const BLUE: DimensionReport = DimensionReport {
    title: "Blue: you examine",
    meaning: "You want it to be right. You ask for the source, spot the mistake in the third line and prefer a plan to a \
        surprise. What you have checked, nobody has to check again.",
    caution: "The last tenth of certainty costs more than all the rest, and often nobody needs it. Being right can also \
        hurt: a person who shows you their work may want to hear what is good about it first.",
    practice: "Before you begin, write down what would be good enough and by when, and stop there. The next time you find a \
        mistake, name two things that are right first.",
    search: "method science judgment",
};

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use crate::DIMENSIONS;

    #[test]
    fn every_dimension_has_a_text_of_its_own() {
        let mut seen = HashSet::new();
        for dimension in DIMENSIONS {
            let report = dimension.report();
            for text in [report.meaning, report.caution, report.practice] {
                assert!(text.len() > 120 && text.ends_with('.') && seen.insert(text), "{}", dimension.name());
                assert!(!text.contains("  "), "{text}");
            }
            assert!(seen.insert(report.title) && !report.search.is_empty());
        }
    }
}
