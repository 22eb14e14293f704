//! SQL statements that Diesel's query builder can't express, prepared once per connection nevertheless.

/// Declares a statement as a struct of its values, with the SQL types of its rows and its text. In the text, a value is in
/// parentheses with its SQL type, and a text constant in braces. A value in brackets becomes a subquery, which hides it from the planner:
/// for statements whose best plan is the same whatever their values. By itself Postgres plans a statement with its values at each call as
/// long as that promises less work than the average, and such a plan can take several times as long as the statement.
///
/// `diesel::sql_query` would make Postgres parse and plan the text at every call; Diesel caches this statement by its type.
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
    (@piece $self:ident $out:ident [$field:ident: $sql_type:ty]) => {
        $out.push_sql("(SELECT ");
        $out.push_bind_param::<$sql_type, _>(&$self.$field)?;
        $out.push_sql(")")
    };
    (@piece $self:ident $out:ident {$text:expr}) => {
        $out.push_sql($text)
    };
    (@piece $self:ident $out:ident $text:literal) => {
        $out.push_sql($text)
    };
}

pub(crate) use statement;
