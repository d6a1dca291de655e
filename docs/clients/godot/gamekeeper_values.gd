## What Gamekeeper's client for Godot does with values of JSON.
extends RefCounted


## What a JSON text says; null where it is none.
static func read(text: String) -> Variant:
	var json := JSON.new()
	return json.data if json.parse(text) == OK else null


## Objects are gone through key by key, and lists are taken as a whole. A value of another type than its default is left out.
static func overlaid(default: Variant, own: Variant) -> Variant:
	if own == null or (default != null and _kind(default) != _kind(own)):
		return default
	# JSON knows one kind of number, and Godot reads all as float.
	if default is int and own is float:
		return int(own) if own == floorf(own) else own
	if not default is Dictionary or not own is Dictionary:
		return own
	var merged: Dictionary = default.duplicate()
	for name: Variant in own:
		merged[name] = overlaid(default.get(name), own[name])
	return merged


static func _kind(value: Variant) -> String:
	match typeof(value):
		TYPE_INT, TYPE_FLOAT:
			return "number"
		TYPE_STRING, TYPE_STRING_NAME:
			return "text"
		TYPE_BOOL, TYPE_DICTIONARY:
			return type_string(typeof(value))
	return "list"


## Why a property is none: it is no text, finite number, boolean or list of them.
static func refusal_of(properties: Dictionary) -> String:
	for name: Variant in properties:
		for value: Variant in properties[name] if properties[name] is Array else [properties[name]]:
			if _kind(value) == "list" or value is Dictionary or (value is float and not is_finite(value)):
				return "%s is %s, which no marker can say" % [name, type_string(typeof(value)) if not value is float else str(value)]
	return ""


## A UUID of version 4.
static func new_id() -> String:
	var bytes := OS.get_entropy(16)
	bytes[6] = (bytes[6] & 0x0f) | 0x40
	bytes[8] = (bytes[8] & 0x3f) | 0x80
	var text := bytes.hex_encode()
	return "-".join([text.substr(0, 8), text.substr(8, 4), text.substr(12, 4), text.substr(16, 4), text.substr(20)])
