export function Component() {
  return (
    <div className="page">
      <h1 className="page__title">Library</h1>
    </div>
  );
}
