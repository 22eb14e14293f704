export function Component() {
  return (
    <div className="page">
      <h1 className="page__title">Set</h1>
    </div>
  );
}
