export function Component() {
  return (
    <div className="page">
      <h1 className="page__title">Reader</h1>
    </div>
  );
}
