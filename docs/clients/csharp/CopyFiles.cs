// The last configurations, in memory and each in a file of its own, for Gamekeeper.cs.
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Text;

namespace Gamekeeper
{
    using Values = Dictionary<string, object>;

    /// <summary>One thread at a time. What fails on the disk is thrown, with the copies in memory as they should be.</summary>
    sealed class CopyFiles
    {
        // What copies may take in memory and on disk; those that were written longest ago go first.
        const long MostBytes = 4 * 1024 * 1024;
        readonly string folder;
        readonly Dictionary<string, Values> known = new Dictionary<string, Values>();
        // In the order in which they were written.
        readonly LinkedList<KeyValuePair<string, long>> written = new LinkedList<KeyValuePair<string, long>>();
        readonly Dictionary<string, LinkedListNode<KeyValuePair<string, long>>> places = new Dictionary<string, LinkedListNode<KeyValuePair<string, long>>>();
        // The last question about a file that was answered.
        readonly Dictionary<string, long> answered = new Dictionary<string, long>();
        long total;

        public CopyFiles(string folder) { this.folder = folder; }

        public void Load()
        {
            foreach (var file in new DirectoryInfo(folder).GetFiles("copy-*.json").OrderBy(each => each.LastWriteTimeUtc))
                Note(Path.Combine(folder, file.Name), file.Length);
            Trim();
        }

        /// <summary>The file of what a text names.</summary>
        public string FileOf(string name)
        {
            using (var sha = SHA256.Create())
            {
                var digest = sha.ComputeHash(Encoding.UTF8.GetBytes(name)).Take(16).Select(each => each.ToString("x2"));
                return Path.Combine(folder, "copy-" + string.Concat(digest) + ".json");
            }
        }

        /// <summary>The copy that the file has, or null.</summary>
        public Values In(string file)
        {
            Values copy;
            if (known.TryGetValue(file, out copy)) return copy;
            if (File.Exists(file)) copy = Json.Read(File.ReadAllText(file)) as Values;
            return IsCopy(copy) ? known[file] = copy : null;
        }

        public static bool IsCopy(Values answer)
        {
            object hash, configuration;
            return answer != null && answer.TryGetValue("hash", out hash) && hash is string
                && answer.TryGetValue("configuration", out configuration) && configuration is Values;
        }

        /// <summary>Whether no later question about the file was answered before this one.</summary>
        public bool IsLatest(string file, long question)
        {
            long latest;
            if (answered.TryGetValue(file, out latest) && latest > question) return false;
            answered[file] = question;
            return true;
        }

        public void Keep(string file, Values copy)
        {
            var text = Json.Write(copy);
            known[file] = copy;
            Note(file, text.Length);
            try { MarkerFile.Replace(file, text); }
            finally { Trim(); }
        }

        void Note(string file, long bytes)
        {
            LinkedListNode<KeyValuePair<string, long>> place;
            if (places.TryGetValue(file, out place)) { total -= place.Value.Value; written.Remove(place); }
            places[file] = written.AddLast(new KeyValuePair<string, long>(file, bytes));
            total += bytes;
        }

        void Trim()
        {
            while (total > MostBytes && written.Count > 1)
            {
                var oldest = written.First.Value;
                written.RemoveFirst();
                places.Remove(oldest.Key);
                known.Remove(oldest.Key);
                answered.Remove(oldest.Key);
                total -= oldest.Value;
                File.Delete(oldest.Key);
            }
        }
    }
}
