import { Layer } from "effect"
import { Settings } from "../ports/operations/Settings.ts"
import { type Configuration, settingsOf } from "./Config.ts"

export const SettingsLive = (configuration: Configuration) => Layer.succeed(Settings, settingsOf(configuration))
