## The last configurations, in memory and each in a file of its own, for gamekeeper.gd.
extends RefCounted

# What copies may take in memory and on disk; those that were written longest ago go first.
const MOST_BYTES := 4 * 1024 * 1024

## Copies by file.
var known := {}
# Bytes by file, in the order in which they were written.
var _bytes := {}
var _total := 0
# The last question about a file that was answered.
var _answered := {}


## Learns which copies the folder has.
func learn(folder: String) -> void:
	var files: Array[String] = []
	for each in DirAccess.get_files_at(folder):
		if each.begins_with("copy-") and each.ends_with(".json"):
			files.append(folder.path_join(each))
	files.sort_custom(func(a: String, b: String) -> bool: return FileAccess.get_modified_time(a) < FileAccess.get_modified_time(b))
	for file in files:
		var opened := FileAccess.open(file, FileAccess.READ)
		if opened != null:
			note(file, opened.get_length())


## Notes that a copy was written, and removes the oldest where they take too much.
func note(file: String, bytes: int) -> void:
	_total += bytes - int(_bytes.get(file, 0))
	_bytes.erase(file)
	_bytes[file] = bytes
	for oldest: String in _bytes.keys():
		if _total <= MOST_BYTES or oldest == file:
			break
		_total -= int(_bytes[oldest])
		_bytes.erase(oldest)
		known.erase(oldest)
		_answered.erase(oldest)
		DirAccess.remove_absolute(oldest)


## Whether no later question about the file was answered before this one.
func is_latest(file: String, question: int) -> bool:
	if int(_answered.get(file, 0)) > question:
		return false
	_answered[file] = question
	return true
