import { choice, integer } from "./SettingKinds.ts"

/** What holds for accounts where nothing is set. `passwordStrength` refuses what whoever guesses tries first. */
export const accountDefaults = { maxAccounts: 5, sessionDays: 30, passwordStrength: 1 }

const signUpRules = ["open", "invited", "off"] as const

export const accountOptions = {
  maxAccounts: integer("max-accounts", accountDefaults.maxAccounts, [1, 50], "Accounts one browser may hold"),
  sessionDays: integer("session-days", accountDefaults.sessionDays, [1, 400], "Days until a sign-in ends"),
  passwordStrength: integer(
    "password-strength",
    accountDefaults.passwordStrength,
    [0, 4],
    "Least strength of a password that people choose, by the estimate of zxcvbn from 0 to 4; 0: any"
  ),
  signUp: choice(
    "sign-up",
    null,
    signUpRules,
    "Who may sign up: anybody, invited addresses or nobody; default: open until the first owner exists, then invited"
  )
}
