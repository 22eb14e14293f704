//! Names and texts of the made-up year.

pub(super) const FIRST_NAMES: [&str; 48] = [
    "Amelia", "Anders", "Ana", "Benno", "Bianca", "Carlos", "Chloe", "Daniel", "Deborah", "Elias", "Elena", "Emeka",
    "Farah", "Felix", "Grace", "Gustav", "Hana", "Harry", "Ines", "Isaac", "Jana", "Joao", "Julia", "Kenji", "Lara",
    "Leon", "Lucia", "Marcus", "Maya", "Mei", "Milan", "Nadia", "Noah", "Olga", "Omar", "Paula", "Priya", "Quentin",
    "Rosa", "Samuel", "Sofia", "Tariq", "Tessa", "Umar", "Vera", "Victor", "Yara", "Zoe",
];

pub(super) const LAST_NAMES: [&str; 40] = [
    "Adams", "Almeida", "Bauer", "Bennett", "Castro", "Chen", "Costa", "Dubois", "Evans", "Fischer", "Garcia", "Green",
    "Haddad", "Hansen", "Hughes", "Ito", "Jensen", "Kaya", "Keller", "Khan", "Kowalski", "Larsen", "Lopez", "Martin",
    "Mbeki", "Moreau", "Murphy", "Nakamura", "Novak", "Okafor", "Olsen", "Park", "Patel", "Rossi", "Sato", "Schmidt",
    "Silva", "Walker", "Weber", "Young",
];

/// What members write with a rating, by its stars from three to five.
pub(super) const RATINGS: [&str; 3] =
    ["Good, but I knew some of it.", "Clear and to the point.", "I have recommended it to everybody at work."];

/// What members ask with the contact form.
pub(super) const QUESTIONS: [&str; 8] = [
    "Can I read on my phone and go on later on my laptop?",
    "Is there a student discount?",
    "Please add more books about history.",
    "How do I send a summary to my Kindle?",
    "I paid yesterday. Where do I find the receipt?",
    "The recording stopped in the middle of a chapter. Which browser do you recommend?",
    "Could you add dark covers? I read at night.",
    "Do you have a plan for a team of five?",
];

pub(super) const REFUND_REASON: &str = "I did not expect the plan to renew. Please refund the last charge.";
