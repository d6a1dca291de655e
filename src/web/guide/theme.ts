// Runs before the style is applied: the guide follows the theme of the dashboard, which the same browser has chosen.
import { followTheme } from "../theme/Theme.ts"

followTheme()
