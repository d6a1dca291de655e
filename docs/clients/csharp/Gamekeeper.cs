// Gamekeeper for games in Unity, Godot and any other .NET: markers, and configurations with experiments. See docs/clients/csharp.md.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Net.Http;
using System.Security.Cryptography;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Gamekeeper
{
    using Values = Dictionary<string, object>;

    public sealed class Options
    {
        public string Url, Key;
        /// <summary>The alias of the environment that markers and configurations belong to.</summary>
        public string Environment = "production";
        /// <summary>Where markers wait and the last configurations are kept, such as Application.persistentDataPath + "/gamekeeper".</summary>
        public string Folder;
        public double FlushSeconds = 5, TimeoutSeconds = 15;
        public int MostWaiting = 10000;
        /// <summary>Told of problems: unreachable, refused, rejected, full or storage, and words. Called from any thread.</summary>
        public Action<string, string> OnProblem = (kind, message) => { };
    }

    /// <summary>Nothing is thrown into the game but by the constructor. All methods may be called from any thread.</summary>
    public sealed class Client : IDisposable
    {
        // Limits of the server, with room: 500 markers and 64 KiB of a request.
        const int MostMarkers = 500, MostBytes = 60000, LongestWait = 300, LongestPlan = 86400;
        readonly Options options;
        readonly HttpClient http;
        readonly object gate = new object();
        readonly SemaphoreSlim sending = new SemaphoreSlim(1);
        readonly MarkerFile waiting;
        readonly CopyFiles copies;
        readonly Random random = new Random();
        readonly Timer timer;
        int most = MostMarkers, failures;
        bool isPlanned, isClosed;
        // Until then, in seconds of a clock that nobody sets, the server is left alone.
        readonly Stopwatch clock = Stopwatch.StartNew();
        double restUntil;

        public Client(Options options)
        {
            if (string.IsNullOrEmpty(options.Url) || string.IsNullOrEmpty(options.Key) || string.IsNullOrEmpty(options.Folder))
                throw new ArgumentException("Gamekeeper needs Url, Key and Folder");
            this.options = options;
            http = new HttpClient { Timeout = TimeSpan.FromSeconds(options.TimeoutSeconds) };
            http.DefaultRequestHeaders.TryAddWithoutValidation("authorization", options.Key);
            http.DefaultRequestHeaders.TryAddWithoutValidation("environment", options.Environment ?? "production");
            waiting = new MarkerFile(Path.Combine(options.Folder, "markers.jsonl"));
            timer = new Timer(_ => Planned(), null, Timeout.Infinite, Timeout.Infinite);
            copies = new CopyFiles(options.Folder);
            OnDisk(waiting.Load);
            OnDisk(copies.Load);
            if (waiting.Count > 0) Plan(options.FlushSeconds);
        }

        /// <summary>Takes a marker of a player; null for a marker of nobody. It is on disk when this returns. False where it was not taken.</summary>
        public bool Track(string eventName, string player, Values properties = null)
        {
            var marker = new Values { ["markerId"] = Guid.NewGuid().ToString(), ["timestamp"] = DateTimeOffset.UtcNow.ToUnixTimeMilliseconds(), ["eventName"] = eventName };
            if (player != null) marker["distinctId"] = player;
            if (properties != null) marker["properties"] = properties;
            string line;
            try { line = Json.Write(marker); }
            catch (ArgumentException error) { return Refuse("rejected", eventName + ": " + error.Message); }
            lock (gate)
            {
                if (isClosed) return Refuse("rejected", eventName + " came after the client was closed");
                if (waiting.Count >= options.MostWaiting) return Refuse("full", waiting.Count + " markers wait: this one was not taken");
                OnDisk(() => waiting.Add(line));
            }
            Plan(options.FlushSeconds);
            return true;
        }

        /// <summary>Sends what waits. Ends when nothing does, or when the server could not take it. The same markers have the same ids each time.</summary>
        public Task FlushAsync() { return Send(false); }

        // What was planned before the server asked to be left alone waits as well.
        async Task Send(bool mayRest)
        {
            await sending.WaitAsync().ConfigureAwait(false);
            double? wait = null;
            lock (gate) if (mayRest && Rest > 0) wait = Rest;
            try { while (wait == null && Batch().Count > 0) wait = await SendBatch().ConfigureAwait(false); }
            finally { sending.Release(); }
            if (wait != null) Plan(wait.Value);
        }

        /// <summary>The values of a configuration, without a name of the primary one: those of the server over the defaults. With a player, experiments decide what they get, and the
        /// first answer records the exposure: ask where the values are used. Without the server the last copy holds, also after a restart.</summary>
        public async Task<Values> ConfigurationAsync(string name, Values defaults, string player = null, Values properties = null)
        {
            var file = Path.Combine(options.Folder, "copy-" + Digest(options.Environment + "\n" + player + "\n" + name) + ".json");
            var copy = CopyIn(file);
            var hash = copy == null ? null : copy["hash"] as string;
            var question = new Values { ["unit"] = new Values { ["type"] = "user", ["distinctId"] = player } };
            if (!string.IsNullOrEmpty(name)) question["configuration"] = name;
            if (hash != null) question["knownHash"] = hash;
            if (properties != null) question["context"] = new Values { ["schemaVersion"] = 1, ["properties"] = properties };
            var query = "?" + (string.IsNullOrEmpty(name) ? "" : "configuration=" + Uri.EscapeDataString(name)) + (hash == null ? "" : "&hash=" + Uri.EscapeDataString(hash));
            string body = null;
            try { body = player == null ? null : Json.Write(question); }
            catch (ArgumentException error) { Refuse("rejected", name + ": " + error.Message); return Overlaid(defaults, copy); }
            var answer = await Ask(body == null ? "/sdk/v2/configurations" + query : "/sdk/v2/configurations/evaluate", body).ConfigureAwait(false);
            if (answer.Status == 200 && answer.Body != null && answer.Body.ContainsKey("hash"))
            {
                copy = answer.Body;
                lock (gate) OnDisk(() => copies.Keep(file, copy));
            }
            else if (answer.Status != 304) Refuse(answer.IsRefusal ? "refused" : "unreachable", answer.Message);
            return Overlaid(defaults, copy);
        }

        /// <summary>Sends what waits for as long as the timeout; what cannot be sent is sent after the next start.</summary>
        public async Task CloseAsync()
        {
            await Task.WhenAny(FlushAsync(), Task.Delay(TimeSpan.FromSeconds(options.TimeoutSeconds))).ConfigureAwait(false);
            Dispose();
        }

        public void Dispose()
        {
            lock (gate) { isClosed = true; timer.Dispose(); }
            http.Dispose();
        }

        bool Refuse(string kind, string message)
        {
            // What goes wrong there stays there.
            try { options.OnProblem(kind, message); } catch (Exception) { }
            return false;
        }

        void OnDisk(Action work)
        {
            try { work(); } catch (Exception error) when (error is IOException || error is UnauthorizedAccessException) { Refuse("storage", error.Message); }
        }

        void Plan(double seconds)
        {
            lock (gate)
            {
                if (isPlanned || isClosed) return;
                isPlanned = true;
                timer.Change(TimeSpan.FromSeconds(Math.Min(LongestPlan, Math.Max(Math.Max(seconds, 0), Rest))), Timeout.InfiniteTimeSpan);
            }
        }

        double Rest { get { return restUntil - clock.Elapsed.TotalSeconds; } }

        void Planned() { lock (gate) isPlanned = false; Task.Run(() => Send(true)); }

        List<string> Batch() { lock (gate) return waiting.Batch(most, MostBytes); }

        async Task<double?> SendBatch()
        {
            var batch = Batch();
            var answer = await Ask("/sdk/v1/markers", "{\"markers\":[" + string.Join(",", batch) + "]}").ConfigureAwait(false);
            // Somebody on the way may answer with 200 too: the server counts markers.
            var isDecided = (answer.Status == 200 || answer.Status == 400) && answer.Body != null && answer.Body.ContainsKey("ingestedMarkersCount");
            if (answer.Status == 413 && batch.Count > 1) { most = batch.Count / 2; return null; }
            if (answer.Status == 413) Refuse("rejected", "a marker is too large");
            else if (!isDecided) return Failed(answer);
            foreach (var each in Listed(answer, "rejectedMarkers")) Refuse("rejected", Json.Write(each));
            foreach (var each in Listed(answer, "staleMarkers")) Refuse("rejected", "older than markers are kept: " + Json.Write(each));
            failures = 0;
            most = MostMarkers;
            lock (gate) { restUntil = 0; OnDisk(() => waiting.Drop(batch.Count)); }
            return null;
        }

        static IEnumerable<Values> Listed(Answer answer, string name)
        {
            object list = null;
            if (answer.Body != null) answer.Body.TryGetValue(name, out list);
            return (list as List<object> ?? new List<object>()).OfType<Values>();
        }

        // Seconds until the next try: doubled with each failure, at random in the upper half, never less than the server asks for.
        double Failed(Answer answer)
        {
            failures++;
            Refuse(answer.IsRefusal ? "refused" : "unreachable", answer.Message);
            var longest = answer.IsRefusal ? LongestWait : Math.Min(LongestWait, Math.Pow(2, Math.Min(failures - 1, 20)));
            var wait = Math.Max(longest / 2 + longest / 2 * random.NextDouble(), Math.Min(LongestWait, answer.RetryAfter));
            lock (gate) restUntil = clock.Elapsed.TotalSeconds + wait;
            return wait;
        }

        sealed class Answer
        {
            public int Status;
            public Values Body;
            public string Words = "no answer";
            public double RetryAfter;
            // A later try hardly changes such an answer, such as that of a revoked key.
            public bool IsRefusal { get { return Status >= 400 && Status < 500 && Status != 408 && Status != 429; } }
            public string Message { get { return Status == 0 ? Words : Body != null && Body.ContainsKey("message") ? Body["message"] + "" : "status " + Status; } }
        }

        async Task<Answer> Ask(string path, string body)
        {
            try
            {
                using (var request = new HttpRequestMessage(body == null ? HttpMethod.Get : HttpMethod.Post, options.Url.TrimEnd('/') + path))
                {
                    if (body != null) request.Content = new StringContent(body, Encoding.UTF8, "application/json");
                    using (var response = await http.SendAsync(request).ConfigureAwait(false))
                    {
                        var after = response.Headers.RetryAfter == null ? null : response.Headers.RetryAfter.Delta;
                        var text = await response.Content.ReadAsStringAsync().ConfigureAwait(false);
                        return new Answer { Status = (int)response.StatusCode, Body = Json.Read(text) as Values, RetryAfter = after == null ? 0 : after.Value.TotalSeconds };
                    }
                }
            }
            catch (Exception error) { return new Answer { Words = error.GetBaseException().Message }; }
        }

        Values CopyIn(string file)
        {
            Values copy = null;
            lock (gate) OnDisk(() => copy = copies.In(file));
            return copy;
        }

        static string Digest(string text)
        {
            using (var sha = SHA256.Create()) return string.Concat(sha.ComputeHash(Encoding.UTF8.GetBytes(text)).Take(16).Select(each => each.ToString("x2")));
        }

        static Values Overlaid(Values defaults, Values copy)
        {
            object own = null;
            if (copy != null) copy.TryGetValue("configuration", out own);
            return own is Values ? (Values)Json.Overlay(defaults ?? new Values(), own) : defaults ?? new Values();
        }
    }
}
