export function Component() {
  return (
    <div className="page">
      <h1 className="page__title">Signup</h1>
    </div>
  );
}
