export function Component() {
  return (
    <div className="page">
      <h1 className="page__title">Books</h1>
    </div>
  );
}
