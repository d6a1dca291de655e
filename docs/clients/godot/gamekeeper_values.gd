## What Gamekeeper's client for Godot does with values of JSON.
extends RefCounted

const MONTHS: Array[String] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
# Greater whole numbers are not exact as float.
const MOST_EXACT := 9007199254740992.0


## What a JSON text says; null where it is none.
static func read(text: String) -> Variant:
	var json := JSON.new()
	return json.data if json.parse(text) == OK else null


## The JSON of a value. Godot's own leaves most control characters as they are, and writes one as \v. JSON has neither, and the server could read
## nothing of a request with one.
static func text_of(value: Variant) -> String:
	if value is Dictionary:
		var fields: PackedStringArray = []
		for name: Variant in value:
			fields.append(_quoted(str(name)) + ":" + text_of(value[name]))
		return "{" + ",".join(fields) + "}"
	if value is Array:
		var items: PackedStringArray = []
		for each: Variant in value:
			items.append(text_of(each))
		return "[" + ",".join(items) + "]"
	if value is String or value is StringName:
		return _quoted(str(value))
	# Godot reads whole numbers as float, too.
	if value is float and value == floorf(value) and absf(value) < MOST_EXACT:
		return str(int(value))
	return JSON.stringify(value)


static func _quoted(text: String) -> String:
	if text == text.strip_escapes():
		return JSON.stringify(text)
	var quoted := text.replace("\\", "\\\\").replace("\"", "\\\"")
	for code: int in range(1, 32):
		quoted = quoted.replace(String.chr(code), "\\u%04x" % code)
	return "\"" + quoted + "\""


## The distinct id of a player as a text. An id that is a number is a float where JSON was read.
static func id_of(player: Variant) -> String:
	return str(int(player)) if player is float and player == floorf(player) else str(player)


## Whether the server told this of a configuration.
static func is_copy(body: Variant) -> bool:
	return body is Dictionary and body.get("hash") is String and body.get("configuration") is Dictionary


## The seconds for which headers ask to leave the server alone: a number, or until a date, which is compared with the clock of whoever answered.
static func retry_after_in(headers: PackedStringArray) -> float:
	var asked := _header_in(headers, "retry-after")
	if asked.is_valid_float():
		return maxf(0.0, asked.to_float())
	var until := _seconds_of(asked)
	var answered := _seconds_of(_header_in(headers, "date"))
	if answered == 0.0:
		answered = Time.get_unix_time_from_system()
	return maxf(0.0, until - answered)


static func _header_in(headers: PackedStringArray, wanted: String) -> String:
	for header: String in headers:
		if header.to_lower().begins_with(wanted + ":"):
			return header.substr(wanted.length() + 1).strip_edges()
	return ""


## The seconds since 1970 of a date such as "Sun, 06 Nov 1994 08:49:37 GMT"; 0 where it is none.
static func _seconds_of(date: String) -> float:
	var parts := date.split(" ", false)
	if parts.size() != 6 or not MONTHS.has(parts[2]):
		return 0.0
	var month := MONTHS.find(parts[2]) + 1
	return float(Time.get_unix_time_from_datetime_string("%s-%02d-%sT%s" % [parts[3], month, parts[1], parts[4]]))


## Objects are gone through key by key, and lists are taken as a whole. A value of another type than its default is left out, and its path added to
## the mismatches. Lists and objects are copies, which the game may change.
static func overlaid(default: Variant, own: Variant, mismatches: Array[String], path: String = "") -> Variant:
	if own == null:
		return default
	if default != null and _kind(default) != _kind(own):
		mismatches.append(path)
		return default
	# JSON knows one kind of number, and Godot reads all as float.
	if default is int and own is float:
		return int(own) if own == floorf(own) else own
	if not default is Dictionary or not own is Dictionary:
		return own.duplicate(true) if own is Array or own is Dictionary else own
	var merged: Dictionary = default.duplicate()
	for name: Variant in own:
		merged[name] = overlaid(default.get(name), own[name], mismatches, name if path == "" else path + "." + name)
	return merged


static func _kind(value: Variant) -> String:
	match typeof(value):
		TYPE_INT, TYPE_FLOAT:
			return "number"
		TYPE_STRING, TYPE_STRING_NAME:
			return "text"
	# Behind Array stand the packed ones.
	return "list" if typeof(value) >= TYPE_ARRAY else type_string(typeof(value))


## Why a property is none: it is no text, finite number, boolean or list of them.
static func refusal_of(properties: Dictionary) -> String:
	for name: Variant in properties:
		for value: Variant in properties[name] if properties[name] is Array else [properties[name]]:
			if _kind(value) not in ["number", "text", "bool"] or (value is float and not is_finite(value)):
				return "%s is %s, which no marker can say" % [name, type_string(typeof(value)) if not value is float else str(value)]
	return ""


## A UUID of version 4.
static func new_id() -> String:
	var bytes := OS.get_entropy(16)
	bytes[6] = (bytes[6] & 0x0f) | 0x40
	bytes[8] = (bytes[8] & 0x3f) | 0x80
	var text := bytes.hex_encode()
	return "-".join([text.substr(0, 8), text.substr(8, 4), text.substr(12, 4), text.substr(16, 4), text.substr(20)])
