/** Takes the password of one's own account; a password manager reads from the unseen field which account that is. */
export const PresentPassword = ({ email }: { readonly email: string }) => (
  <>
    <input
      className="unseen"
      type="email"
      autoComplete="username"
      value={email}
      readOnly
      aria-label="E-mail"
      tabIndex={-1}
    />
    <label className="field">
      Present password
      <input name="present" type="password" autoComplete="current-password" required />
    </label>
  </>
)
