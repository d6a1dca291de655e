export interface SnippetFacts {
  /** This server's address as the browser knows it. */
  readonly server: string
  readonly key: string
  readonly environment: string
}

export interface Snippet {
  readonly id: string
  readonly name: string
  readonly text: string
  /** What games take instead of requests by hand: its name, its page in the guide, and what it does with markers while there is no network. */
  readonly client: readonly [name: string, page: string, waiting: string]
}

const onDisk = "keeps markers while there is no network, also over a restart, and sends each once"
/** In Node it depends on the storage that the game gives. */
const inPage = "keeps markers while there is no network, in a page also over a reload, and sends each once"
/** Servers of Roblox have no disk, and data stores take too few writes for markers. */
const inMemory =
  "keeps markers in memory while there is no network and sends each once; what waits when the game's server ends is lost"

const clients = {
  javaScript: ["the client for JavaScript", "sdk", inPage],
  roblox: ["the client for Roblox", "roblox", inMemory],
  csharp: ["the client for C#", "csharp", onDisk],
  godot: ["the client for Godot", "godot", onDisk],
  any: ["a client", "sdk", inPage]
} as const

/** A command that sends the first marker. */
export const curl = ({
  server,
  key,
  environment
}: SnippetFacts): string => `curl -sS --fail-with-body ${server}/sdk/v1/markers \\
  -H 'authorization: ${key}' -H 'environment: ${environment}' -H 'content-type: application/json' \\
  -d '{"markers":[{"timestamp":'$(date +%s)',"eventName":"LevelCompleted","distinctId":"player-1",
       "properties":{"level":1,"seconds":42,"platform":"ios"}}]}'`

const javaScript = ({ server, key, environment }: SnippetFacts): string => `const marker = {
  timestamp: Date.now(),
  eventName: "LevelCompleted",
  distinctId: "player-1",
  properties: { level: 1, seconds: 42, platform: "web" }
}
const answer = await fetch("${server}/sdk/v1/markers", {
  method: "POST",
  headers: {
    authorization: "${key}",
    environment: "${environment}",
    "content-type": "application/json"
  },
  body: JSON.stringify({ markers: [marker] })
})
console.log(await answer.json())`

const luau = ({
  server,
  key,
  environment
}: SnippetFacts): string => `-- A Script in ServerScriptService; allow HTTP requests in the game's security settings.
local HttpService = game:GetService("HttpService")

game:GetService("Players").PlayerAdded:Connect(function(player)
  HttpService:RequestAsync({
    Url = "${server}/sdk/v1/markers",
    Method = "POST",
    Headers = {
      ["Content-Type"] = "application/json",
      authorization = "${key}",
      environment = "${environment}"
    },
    Body = HttpService:JSONEncode({
      markers = {
        { timestamp = os.time(), eventName = "Login", distinctId = tostring(player.UserId) }
      }
    })
  })
end)`

const csharp = ({ server, key, environment }: SnippetFacts): string => `using System;
using System.Collections;
using System.Text;
using UnityEngine;
using UnityEngine.Networking;

public class FirstMarker : MonoBehaviour
{
    IEnumerator Start()
    {
        var now = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
        var player = SystemInfo.deviceUniqueIdentifier;
        var body = $"{{\\"markers\\":[{{\\"timestamp\\":{now},\\"eventName\\":\\"Login\\",\\"distinctId\\":\\"{player}\\"}}]}}";
        using var request = new UnityWebRequest("${server}/sdk/v1/markers", "POST");
        request.uploadHandler = new UploadHandlerRaw(Encoding.UTF8.GetBytes(body));
        request.downloadHandler = new DownloadHandlerBuffer();
        request.SetRequestHeader("content-type", "application/json");
        request.SetRequestHeader("authorization", "${key}");
        request.SetRequestHeader("environment", "${environment}");
        yield return request.SendWebRequest();
        Debug.Log(request.downloadHandler.text);
    }
}`

const godot = ({ server, key, environment }: SnippetFacts): string => `extends HTTPRequest

func _ready() -> void:
    var marker := {
        "timestamp": Time.get_unix_time_from_system(),
        "eventName": "Login",
        "distinctId": OS.get_unique_id()
    }
    var headers := [
        "content-type: application/json",
        "authorization: ${key}",
        "environment: ${environment}"
    ]
    request("${server}/sdk/v1/markers", headers, HTTPClient.METHOD_POST, JSON.stringify({"markers": [marker]}))`

const http = ({ server, key, environment }: SnippetFacts, now: number): string => `POST /sdk/v1/markers HTTP/1.1
Host: ${new URL(server).host}
Authorization: ${key}
Environment: ${environment}
Content-Type: application/json

{"markers":[{"timestamp":"${new Date(now).toISOString()}","eventName":"Login","distinctId":"player-1"}]}`

/** How a game sends its first marker, in the languages of games; `now` (epoch ms) is for a request that cannot tell the time by itself. */
export const snippetsOf = (facts: SnippetFacts, now: number): ReadonlyArray<Snippet> => [
  { id: "curl", name: "curl", text: curl(facts), client: clients.any },
  { id: "javascript", name: "JavaScript", text: javaScript(facts), client: clients.javaScript },
  { id: "roblox", name: "Roblox", text: luau(facts), client: clients.roblox },
  { id: "unity", name: "Unity", text: csharp(facts), client: clients.csharp },
  { id: "godot", name: "Godot", text: godot(facts), client: clients.godot },
  { id: "http", name: "HTTP", text: http(facts, now), client: clients.any }
]
