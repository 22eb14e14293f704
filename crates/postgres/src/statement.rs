//! Statements that Diesel's query builder has no words for, prepared once for each connection all the same.

/// Declares a statement as a struct of its values: what it gives, and its text with the values where they stand. A constant of
/// text stands in braces.
///
/// `diesel::sql_query` would have Postgres parse and plan the text at every call: Diesel knows a statement
/// again by its type.
macro_rules! statement {
    (
        $(#[$meta:meta])*
        $name:ident { $($field:ident: $type:ty),* $(,)? } -> $row:ty = [$($piece:tt)+]
    ) => {
        $(#[$meta])*
        #[derive(diesel::query_builder::QueryId)]
        struct $name { $($field: $type),* }

        impl diesel::query_builder::Query for $name {
            type SqlType = $row;
        }

        impl diesel::RunQueryDsl<diesel::PgConnection> for $name {}

        impl diesel::query_builder::QueryFragment<diesel::pg::Pg> for $name {
            fn walk_ast<'b>(
                &'b self,
                mut out: diesel::query_builder::AstPass<'_, 'b, diesel::pg::Pg>,
            ) -> diesel::QueryResult<()> {
                $(statement!(@piece self out $piece);)+
                Ok(())
            }
        }
    };
    (@piece $self:ident $out:ident ($field:ident: $sql_type:ty)) => {
        $out.push_bind_param::<$sql_type, _>(&$self.$field)?
    };
    (@piece $self:ident $out:ident {$text:expr}) => {
        $out.push_sql($text)
    };
    (@piece $self:ident $out:ident $text:literal) => {
        $out.push_sql($text)
    };
}

pub(crate) use statement;
