export function Component() {
  return (
    <div className="page">
      <h1 className="page__title">Home</h1>
    </div>
  );
}
