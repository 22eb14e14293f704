export function Component() {
  return (
    <div className="page">
      <h1 className="page__title">Account</h1>
    </div>
  );
}
