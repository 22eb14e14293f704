//! Enums that are words in storage and on the wire.

/// The error for a text that names no value of an enum.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no such word")]
pub struct UnknownWord(pub(crate) String);

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $($(#[$variant_doc])* $variant,)+
        }

        impl $name {
            /// Every value, in order.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name in storage and on the wire.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }

        impl std::str::FromStr for $name {
            type Err = crate::words::UnknownWord;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let one = Self::ALL.iter().copied().find(|one| one.as_str() == text);
                one.ok_or_else(|| crate::words::UnknownWord(text.to_owned()))
            }
        }
    };
}

pub(crate) use words;
