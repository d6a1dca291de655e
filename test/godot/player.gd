## Plays the client for Godot: reads one command a line from standard input, and prints one line for each.
extends SceneTree

var _problems := []


func _initialize() -> void:
	var given := OS.get_cmdline_user_args()
	var client: Node = load(given[0]).new()
	client.url = given[1]
	client.key = given[2]
	client.folder = given[3]
	client.most_waiting = int(given[4])
	client.flush_seconds = float(given[5])
	client.problem.connect(func(kind: String, message: String) -> void: _problems.append(kind + ": " + message))
	root.add_child(client)
	await process_frame
	while true:
		var line := OS.read_string_from_stdin(65536)
		if line == "":
			return quit()
		var told: Variant = await _done(client, JSON.parse_string(line))
		print("> ", JSON.stringify({"told": told, "problems": _problems}))
		_problems = []


func _done(client: Node, command: Dictionary) -> Variant:
	var properties: Dictionary = command.properties if command.get("properties") is Dictionary else {}
	if properties.has("odd"):
		properties.odd = NAN
	match command.do:
		"track":
			return client.track(command.name, command.player, properties)
		"flush":
			for _more: int in range(1, int(command.get("times", 1))):
				client.flush()
			await client.flush()
		"configuration":
			var answers: Array[Dictionary] = []
			var ask := func(about: Dictionary) -> void: answers.append(await client.configuration(command.name, command.defaults, command.player, about))
			ask.call(properties)
			if command.has("later"):
				ask.call(command.later)
			while answers.size() < (2 if command.has("later") else 1):
				await process_frame
			# The answer to the first question, which comes last.
			var told: Dictionary = answers.back().duplicate(true)
			if command.has("spoils"):
				_spoil(answers.back())
			return told
		"idle":
			await create_timer(command.seconds).timeout
		"wait":
			while FileAccess.get_file_as_string(client.folder.path_join("markers.jsonl")) != "":
				await process_frame
	return null


## Does what games do with lists and objects that they take for their own.
func _spoil(values: Dictionary) -> void:
	values.items.clear()
	values.deep.gems.append("more")
	values.deep.coins = 1
