export function Component() {
  return (
    <div className="page">
      <h1 className="page__title">Front</h1>
    </div>
  );
}
