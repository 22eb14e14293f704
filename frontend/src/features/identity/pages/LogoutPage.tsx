export function Component() {
  return (
    <div className="page">
      <h1 className="page__title">Logout</h1>
    </div>
  );
}
