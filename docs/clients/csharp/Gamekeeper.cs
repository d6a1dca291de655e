// Gamekeeper for games in Unity, Godot and any other .NET: markers, and configurations with experiments. See docs/clients/csharp.md.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
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
        /// <summary>Told of problems: unreachable, refused, rejected, full, storage or mismatch, and words. Called from any thread.</summary>
        public Action<string, string> OnProblem = (kind, message) => { };
    }

    /// <summary>Nothing is thrown into the game but by the constructor. All methods may be called from any thread.</summary>
    public sealed class Client : IDisposable
    {
        // Limits of the server, with room: 500 markers and 64 KiB of a request.
        const int MostMarkers = 500, MostBytes = 60000, LongestWait = 300, LongestPlan = 86400;
        readonly Options options;
        readonly string environment;
        readonly Transport transport;
        readonly object gate = new object();
        readonly MarkerFile waiting;
        readonly CopyFiles copies;
        readonly Random random = new Random();
        readonly Timer timer;
        int most = MostMarkers, failures;
        long questions;
        bool isPlanned, isClosed;
        // What sends, until nothing waits or the server could not take it; null where nothing does.
        Task sending;
        // Until then, in seconds of a clock that nobody sets, the server is left alone.
        readonly Stopwatch clock = Stopwatch.StartNew();
        double restUntil;

        public Client(Options options)
        {
            if (string.IsNullOrEmpty(options.Url) || string.IsNullOrEmpty(options.Key) || string.IsNullOrEmpty(options.Folder))
                throw new ArgumentException("Gamekeeper needs Url, Key and Folder");
            this.options = options;
            // Without a name the server takes markers into development.
            environment = string.IsNullOrEmpty(options.Environment) ? "production" : options.Environment;
            transport = new Transport(options, environment);
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
            catch (Exception error) { return Refuse("rejected", eventName + ": " + error.Message); }
            bool isLate, isFull;
            string flaw = null;
            lock (gate)
            {
                isLate = isClosed;
                isFull = waiting.Count >= options.MostWaiting;
                if (!isLate && !isFull) flaw = FlawOf(() => waiting.Add(line));
            }
            if (isLate) return Refuse("rejected", eventName + " came after the client was closed");
            if (isFull) return Refuse("full", options.MostWaiting + " markers wait: this one was not taken");
            if (flaw != null) Refuse("storage", flaw);
            Plan(options.FlushSeconds);
            return true;
        }

        /// <summary>Sends what waits. Ends when nothing does, or when the server could not take it. The same markers have the same ids each time.
        /// Who calls it while markers are sent waits for these, so that a server that is away is asked once.</summary>
        public Task FlushAsync()
        {
            lock (gate)
            {
                // What was planned is done now. Left as it is, a long wait after failures would also hold what is tracked once the server is back.
                isPlanned = false;
                if (sending == null || sending.IsCompleted) sending = Task.Run(SendAll);
                return sending;
            }
        }

        async Task SendAll()
        {
            double? wait = null;
            while (IsToSend(wait)) wait = await SendBatch().ConfigureAwait(false);
            if (wait != null) Plan(wait.Value);
        }

        // A flush that comes after the answer is no begins to send anew.
        bool IsToSend(double? wait)
        {
            lock (gate)
            {
                if (wait == null && !isClosed && waiting.Count > 0) return true;
                sending = null;
                return false;
            }
        }

        /// <summary>The values of a configuration, without a name of the primary one: those of the server over the defaults. With a player, experiments decide what they get, and the
        /// first answer records the exposure: ask where the values are used. Without the server the last copy holds, also after a restart.</summary>
        public async Task<Values> ConfigurationAsync(string name, Values defaults, string player = null, Values properties = null)
        {
            var file = copies.FileOf(environment + "\n" + player + "\n" + name);
            var number = Interlocked.Increment(ref questions);
            var copy = CopyIn(file);
            var hash = copy == null ? null : copy["hash"] as string;
            var question = new Values { ["unit"] = new Values { ["type"] = "user", ["distinctId"] = player } };
            if (!string.IsNullOrEmpty(name)) question["configuration"] = name;
            if (hash != null) question["knownHash"] = hash;
            if (properties != null) question["context"] = new Values { ["schemaVersion"] = 1, ["properties"] = properties };
            string query, body;
            try
            {
                query = "?" + (string.IsNullOrEmpty(name) ? "" : "configuration=" + Uri.EscapeDataString(name)) + (hash == null ? "" : "&hash=" + Uri.EscapeDataString(hash));
                body = player == null ? null : Json.Write(question);
            }
            catch (Exception error) { Refuse("rejected", name + ": " + error.Message); return Overlaid(defaults, copy); }
            var answer = await transport.Ask(body == null ? "/sdk/v2/configurations" + query : "/sdk/v2/configurations/evaluate", body).ConfigureAwait(false);
            var isCopy = answer.Status == 200 && CopyFiles.IsCopy(answer.Body);
            if (!isCopy && answer.Status != 304) Refuse(answer.IsRefusal ? "refused" : "unreachable", answer.Message);
            // An answer that was overtaken by that to a later question says what was true before.
            else OnDisk(() => { if (copies.IsLatest(file, number) && isCopy) copies.Keep(file, answer.Body); });
            // A value that stays as it is was told when it came.
            return Overlaid(defaults, CopyIn(file) ?? copy, path => { if (isCopy) Refuse("mismatch", path + " has another type than its default, which is used"); });
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
            transport.Dispose();
        }

        bool Refuse(string kind, string message)
        {
            // What goes wrong there stays there.
            try { options.OnProblem(kind, message); } catch (Exception) { }
            return false;
        }

        // What went wrong on the disk; null where nothing did. The caller holds the lock, and tells it without: whoever is told may wait for a thread that tracks.
        static string FlawOf(Action work)
        {
            try { work(); } catch (Exception error) when (error is IOException || error is UnauthorizedAccessException) { return error.Message; }
            return null;
        }

        void OnDisk(Action work)
        {
            string flaw;
            lock (gate) flaw = FlawOf(work);
            if (flaw != null) Refuse("storage", flaw);
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

        void Planned()
        {
            lock (gate)
            {
                if (!isPlanned) return;
                isPlanned = false;
                // What was planned before the server asked to be left alone waits as well.
                if (Rest > 0) Plan(Rest); else FlushAsync();
            }
        }

        List<string> Batch() { lock (gate) return waiting.Batch(most, MostBytes); }

        async Task<double?> SendBatch()
        {
            var batch = Batch();
            var answer = await transport.Ask("/sdk/v1/markers", "{\"markers\":[" + string.Join(",", batch) + "]}").ConfigureAwait(false);
            // Somebody on the way may answer with 200 too: the server counts markers.
            var isDecided = (answer.Status == 200 || answer.Status == 400) && answer.Body != null && answer.Body.ContainsKey("ingestedMarkersCount");
            // Half of it, until the marker that the server cannot take is alone: it would hold back all others for ever.
            if (answer.IsOfBody && batch.Count > 1) { most = batch.Count / 2; return null; }
            if (answer.IsOfBody) Refuse("rejected", answer.Status == 413 ? "a marker is too large" : "a marker cannot be read: " + answer.Message);
            else if (!isDecided) return Failed(answer);
            foreach (var each in answer.Listed("rejectedMarkers")) Refuse("rejected", Json.Write(each));
            foreach (var each in answer.Listed("staleMarkers")) Refuse("rejected", "older than markers are kept: " + Json.Write(each));
            failures = 0;
            most = MostMarkers;
            OnDisk(() => { restUntil = 0; waiting.Drop(batch.Count); });
            return null;
        }

        // Seconds until the next try: doubled with each failure, at random in the upper half, never less than the server asks for.
        double Failed(Answer answer)
        {
            failures++;
            var longest = answer.IsRefusal ? LongestWait : Math.Min(LongestWait, Math.Pow(2, Math.Min(failures - 1, 20)));
            var wait = Math.Max(longest / 2 + longest / 2 * random.NextDouble(), Math.Min(LongestWait, answer.RetryAfter));
            bool isCutOff;
            lock (gate) { restUntil = clock.Elapsed.TotalSeconds + wait; isCutOff = isClosed; }
            if (!isCutOff) Refuse(answer.IsRefusal ? "refused" : "unreachable", answer.Message);
            return wait;
        }

        Values CopyIn(string file)
        {
            Values copy = null;
            OnDisk(() => copy = copies.In(file));
            return copy;
        }

        static Values Overlaid(Values defaults, Values copy, Action<string> onMismatch = null)
        {
            object own = null;
            if (copy != null) copy.TryGetValue("configuration", out own);
            return own is Values ? (Values)Json.Overlay(defaults ?? new Values(), own, onMismatch) : defaults ?? new Values();
        }
    }
}
