export function Component() {
  return (
    <div className="page">
      <h1 className="page__title">My Progress</h1>
    </div>
  );
}
