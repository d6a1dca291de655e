export const EmailField = () => (
  <label className="field">
    E-mail
    <input name="email" type="email" autoComplete="username" required />
  </label>
)
