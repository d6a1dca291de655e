## Gamekeeper for games in Godot 4: markers, and configurations with experiments. See docs/clients/godot.md.
extends Node

## Told of problems: unreachable, refused, rejected, full, storage or mismatch, and words. Nothing else is thrown into the game.
signal problem(kind: String, message: String)
signal _sent

const Values := preload("gamekeeper_values.gd")
const Copies := preload("gamekeeper_copies.gd")
# Limits of the server, with room: 500 markers and 64 KiB of a request.
const MOST_MARKERS := 500
const MOST_BYTES := 60000
const LONGEST_WAIT := 300.0
const LONGEST_PLAN := 86400.0

@export var url := ""
## The public key of the game.
@export var key := ""
@export var environment := "production"
## Where markers wait and the last configurations are kept.
@export var folder := "user://gamekeeper"
@export var flush_seconds := 5.0
@export var timeout_seconds := 15.0
@export var most_waiting := 10000

var _waiting: Array[String] = []
var _queue: FileAccess = null
# Whether the file ends with a whole line: a full disk may cut one short, and the next would continue it.
var _is_whole := false
var _copies := Copies.new()
var _is_loaded := false
# Whether the markers of the file are here: what could not be read must not be written over.
var _is_recalled := false
var _questions := 0
# How many markers the file has that do not wait any more. After a kill they are sent once more, and the server knows their ids.
var _dropped := 0
var _is_sending := false
var _most := MOST_MARKERS
var _failures := 0
# Instants in milliseconds since the start: when to send by itself (-1: nothing is planned), and until when to leave the server alone.
var _due := -1
var _rest_until := 0


func _ready() -> void:
	# Markers are sent while the game is paused too.
	process_mode = Node.PROCESS_MODE_ALWAYS


func _process(_delta: float) -> void:
	# Not in _ready: scenes that say where and who it is are ready after an autoload.
	_load()
	# What was planned before the server asked to be left alone waits as well.
	if _due >= 0 and not _is_sending and Time.get_ticks_msec() >= maxi(_due, _rest_until):
		_due = -1
		flush()


func _notification(what: int) -> void:
	# A phone may end a game that is out of sight.
	if what == NOTIFICATION_APPLICATION_PAUSED or what == NOTIFICATION_APPLICATION_FOCUS_OUT:
		flush()


## Takes a marker of a player; null for a marker of nobody. It is on disk when this returns. False where it was not taken.
func track(event_name: String, player: Variant = null, properties: Dictionary = {}) -> bool:
	_load()
	var refusal := Values.refusal_of(properties)
	if refusal != "":
		return _refuse("rejected", "%s: %s" % [event_name, refusal])
	if _waiting.size() >= most_waiting:
		return _refuse("full", "%d markers wait: this one was not taken" % _waiting.size())
	var marker := {"markerId": Values.new_id(), "timestamp": int(Time.get_unix_time_from_system() * 1000.0), "eventName": event_name}
	if player != null:
		marker["distinctId"] = Values.id_of(player)
	if not properties.is_empty():
		marker["properties"] = properties
	var line := Values.text_of(marker)
	_waiting.append(line)
	if not _is_recalled:
		_recall()
	elif _queue == null:
		# There was no room for a file when the game started.
		_rewrite()
	elif not _queue.store_line(line if _is_whole else "\n" + line):
		_is_whole = false
		_refuse("storage", "the marker waits in memory alone")
	elif _is_whole:
		_queue.flush()
	else:
		# There is room again, also for what had none.
		_rewrite()
	_plan(flush_seconds)
	return true


## Sends what waits. Ends when nothing does, or when the server could not take it. The same markers have the same ids each time.
## Who calls it while markers are sent waits for these, so that a server that is away is asked once.
func flush() -> void:
	_load()
	if _is_sending:
		await _sent
		return
	_is_sending = true
	# What was planned is done now. Left as it is, a long wait after failures would also hold what is tracked once the server is back.
	_due = -1
	var wait := 0.0
	while wait == 0.0 and not _waiting.is_empty():
		wait = await _send_batch()
	_is_sending = false
	if wait > 0.0:
		_plan(wait)
	_sent.emit()


## The values of a configuration: those of the server over the defaults. With a player, experiments decide what they get, and the first answer
## records the exposure: ask where the values are used. Without the server the last copy holds, also after a restart.
func configuration(named: String, defaults: Dictionary, player: Variant = null, properties: Dictionary = {}) -> Dictionary:
	_load()
	var distinct_id := "" if player == null else Values.id_of(player)
	var file := folder.path_join("copy-%s.json" % "\n".join([environment, distinct_id, named]).sha256_text().left(32))
	var copy := _copy_in(file)
	_questions += 1
	var number := _questions
	var answer: Dictionary
	if player == null:
		var known := "" if copy.is_empty() else "&hash=" + str(copy["hash"]).uri_encode()
		answer = await _ask("/sdk/v2/configurations?configuration=" + named.uri_encode() + known)
	else:
		var question := {"configuration": named, "unit": {"type": "user", "distinctId": distinct_id}}
		if not copy.is_empty():
			question["knownHash"] = copy["hash"]
		if not properties.is_empty():
			question["context"] = {"schemaVersion": 1, "properties": properties}
		answer = await _ask("/sdk/v2/configurations/evaluate", Values.text_of(question))
	var is_copy: bool = answer.status == 200 and Values.is_copy(answer.body)
	if not is_copy and answer.status != 304:
		_refuse("refused" if _is_refusal(answer.status) else "unreachable", answer.message)
	elif _copies.is_latest(file, number) and is_copy:
		# An answer that was overtaken by that to a later question says what was true before, and is not kept.
		_copies.known[file] = answer.body
		_replace(file, answer.text)
		_copies.note(file, answer.text.to_utf8_buffer().size())
	copy = _copies.known.get(file, copy)
	var own: Variant = copy.get("configuration")
	if not own is Dictionary:
		return defaults
	var mismatches: Array[String] = []
	var values: Dictionary = Values.overlaid(defaults, own, mismatches)
	# A value that stays as it is was told when it came.
	if is_copy:
		for path in mismatches:
			_refuse("mismatch", "%s has another type than its default, which is used" % path)
	return values


func _load() -> void:
	if _is_loaded:
		return
	_is_loaded = true
	# Without a name the server takes markers into development.
	if environment == "":
		environment = "production"
	_recall()
	if DirAccess.dir_exists_absolute(folder):
		_copies.learn(folder)
	if not _waiting.is_empty():
		_plan(flush_seconds)


## Takes what an earlier game has left; where that cannot be read, again with the next marker.
func _recall() -> void:
	if DirAccess.make_dir_recursive_absolute(folder) != OK:
		_refuse("storage", "%s cannot be made: markers wait in memory alone" % folder)
		return
	var text := ""
	if FileAccess.file_exists(_queue_file()):
		text = FileAccess.get_file_as_string(_queue_file())
		if FileAccess.get_open_error() != OK:
			_refuse("storage", "%s cannot be read: markers wait in memory alone" % _queue_file())
			return
	_is_recalled = true
	# A crash may have cut the last line short. What is read is written anew, because Godot reads more than JSON.
	for line in text.split("\n", false):
		var marker: Variant = Values.read(line)
		if marker is Dictionary:
			_waiting.append(Values.text_of(marker))
	_rewrite()


func _queue_file() -> String:
	return folder.path_join("markers.jsonl")


func _rewrite() -> void:
	_queue = null
	_dropped = 0
	_is_whole = _replace(_queue_file(), "".join(_waiting.map(func(line: String) -> String: return line + "\n")))
	_queue = FileAccess.open(_queue_file(), FileAccess.READ_WRITE)
	if _queue != null:
		_queue.seek_end()


func _replace(file: String, text: String) -> bool:
	var next := FileAccess.open(file + ".new", FileAccess.WRITE)
	var is_written := next != null and next.store_string(text)
	next = null
	if not is_written or DirAccess.rename_absolute(file + ".new", file) != OK:
		return _refuse("storage", "%s cannot be written" % file)
	return true


func _plan(seconds: float) -> void:
	if _due < 0:
		_due = maxi(Time.get_ticks_msec() + int(minf(seconds, LONGEST_PLAN) * 1000.0), _rest_until)


func _batch() -> Array[String]:
	var bytes := 0
	var lines: Array[String] = []
	for line in _waiting:
		bytes += line.to_utf8_buffer().size() + 1
		if not lines.is_empty() and (bytes > MOST_BYTES or lines.size() >= _most):
			break
		lines.append(line)
	return lines


## Sends one batch. 0 where the next may follow at once, else the seconds to wait.
func _send_batch() -> float:
	var batch := _batch()
	var answer := await _ask("/sdk/v1/markers", "{\"markers\":[%s]}" % ",".join(batch))
	# Somebody on the way may answer with 200 too: the server counts markers.
	var is_decided: bool = (answer.status == 200 or answer.status == 400) and answer.body.has("ingestedMarkersCount")
	var is_of_body := _is_of_body(answer)
	# Half of it, until the marker that the server cannot take is alone: it would hold back all others for ever.
	if is_of_body and batch.size() > 1:
		@warning_ignore("integer_division")
		_most = batch.size() / 2
		return 0.0
	if is_of_body:
		_refuse("rejected", "a marker is too large" if answer.status == 413 else "a marker cannot be read: %s" % answer.message)
	elif not is_decided:
		return _failed(answer)
	for each: Variant in answer.body.get("rejectedMarkers", []):
		_refuse("rejected", JSON.stringify(each))
	for each: Variant in answer.body.get("staleMarkers", []):
		_refuse("rejected", "older than markers are kept: %s" % JSON.stringify(each))
	_rest_until = 0
	_failures = 0
	_most = MOST_MARKERS
	_waiting = _waiting.slice(batch.size())
	_dropped += batch.size()
	# A long file that was written anew for each batch would hold up the frames of the game.
	if _is_recalled and _dropped >= _waiting.size():
		_rewrite()
	return 0.0


## Seconds until the next try: doubled with each failure, at random in the upper half, never less than the server asks for.
func _failed(answer: Dictionary) -> float:
	_failures += 1
	var is_refusal := _is_refusal(answer.status)
	_refuse("refused" if is_refusal else "unreachable", answer.message)
	var longest := LONGEST_WAIT if is_refusal else minf(LONGEST_WAIT, pow(2.0, mini(_failures - 1, 20)))
	var wait := maxf(longest * randf_range(0.5, 1.0), minf(LONGEST_WAIT, answer.retry_after))
	_rest_until = Time.get_ticks_msec() + int(wait * 1000.0)
	return wait


## What the server answers. The status is 0 where it does not.
func _ask(path: String, body: String = "") -> Dictionary:
	var answer := {"status": 0, "text": "", "body": {}, "message": "no answer", "retry_after": 0.0}
	var http := HTTPRequest.new()
	http.timeout = timeout_seconds
	# A browser has unpacked an answer before Godot tries to, and fails.
	http.accept_gzip = not OS.has_feature("web")
	add_child(http)
	var headers := ["authorization: " + key, "environment: " + environment]
	if body != "":
		headers.append("content-type: application/json")
	var method := HTTPClient.METHOD_GET if body == "" else HTTPClient.METHOD_POST
	if http.request(url.trim_suffix("/") + path, headers, method, body) == OK:
		var told: Array = await http.request_completed
		if told[0] == HTTPRequest.RESULT_SUCCESS:
			answer.text = told[3].get_string_from_utf8()
			var read: Variant = Values.read(answer.text)
			answer.status = told[1]
			answer.body = read if read is Dictionary else {}
			answer.message = str(answer.body.get("message", "status %d" % told[1]))
			answer.retry_after = Values.retry_after_in(told[2])
	http.queue_free()
	return answer


## A later try hardly changes such an answer, such as that of a revoked key.
func _is_refusal(status: int) -> bool:
	return status >= 400 and status < 500 and status != 408 and status != 429


## No later try changes what is said of such a body: it is too large, no JSON, or nested too deep. Refusals of the key may be 400 too.
func _is_of_body(answer: Dictionary) -> bool:
	var code: Variant = answer.body.get("code")
	var is_deep: bool = code is String and code == "VALIDATION_FAILED" and answer.message.begins_with("body:")
	return answer.status == 413 or (answer.status == 400 and (is_deep or (code is String and code == "MALFORMED_JSON")))


func _refuse(kind: String, message: String) -> bool:
	problem.emit(kind, message)
	return false


func _copy_in(file: String) -> Dictionary:
	if not _copies.known.has(file) and FileAccess.file_exists(file):
		var read: Variant = Values.read(FileAccess.get_file_as_string(file))
		if Values.is_copy(read):
			_copies.known[file] = read
	return _copies.known.get(file, {})
