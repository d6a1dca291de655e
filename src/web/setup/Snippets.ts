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
}

const curl = ({
  server,
  key,
  environment
}: SnippetFacts): string => `curl -sS --fail-with-body ${server}/sdk/v1/markers \\
  -H 'authorization: ${key}' -H 'environment: ${environment}' -H 'content-type: application/json' \\
  -d '{"markers":[{"timestamp":'$(date +%s)',"eventName":"LevelCompleted","distinctId":"player-1",
       "properties":{"level":1,"seconds":42,"platform":"ios"}}]}'`

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

const http = ({ server, key, environment }: SnippetFacts): string => `POST /sdk/v1/markers HTTP/1.1
Host: ${server.replace(/^https?:\/\//, "")}
Authorization: ${key}
Environment: ${environment}
Content-Type: application/json

{"markers":[{"timestamp":"${new Date(0).toISOString().replace("1970", "2026")}","eventName":"Login","distinctId":"player-1"}]}`

/** How a game sends its first marker, in the languages of games. */
export const snippetsOf = (facts: SnippetFacts): ReadonlyArray<Snippet> => [
  { id: "curl", name: "curl", text: curl(facts) },
  { id: "roblox", name: "Roblox", text: luau(facts) },
  { id: "unity", name: "Unity", text: csharp(facts) },
  { id: "godot", name: "Godot", text: godot(facts) },
  { id: "http", name: "HTTP", text: http(facts) }
]
