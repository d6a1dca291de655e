import "./forcedColors.css"
