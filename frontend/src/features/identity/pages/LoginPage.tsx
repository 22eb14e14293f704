export function Component() {
  return (
    <div className="page">
      <h1 className="page__title">Login</h1>
    </div>
  );
}
